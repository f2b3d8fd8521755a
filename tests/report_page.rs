//! The page of a pack, as a file.

mod support;

use pourfect::config::{self, Overrides};
use pourfect::pack::Pack;
use pourfect::report::level_svg;
use support::{pack_of, page, small_pack};

const MARKUP: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&\u{2028}'\"";

fn hostile_pack() -> Pack {
    let mut pack = small_pack();
    pack.settings.bands[1].name = MARKUP.to_owned();
    for level in &mut pack.levels {
        level.id = MARKUP.to_owned();
        level.band = MARKUP.to_owned();
    }
    pack
}

#[test]
fn the_same_pack_gives_the_same_page() {
    assert_eq!(page(&small_pack()), page(&small_pack()));
}

#[test]
fn the_page_names_nothing_outside_itself() {
    let page = page(&small_pack());
    let namespace = "http://www.w3.org/2000/svg";
    let page = page.replace(namespace, "");
    for outside in ["http:", "https:", "src=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn markup_in_a_pack_stays_text() {
    let page = page(&hostile_pack());
    assert!(!page.contains("alert(1)</script>") && !page.contains("<img"));
    assert_eq!(page.matches("<script").count(), 2, "the data and the page's own script");
}

#[test]
fn a_hundred_large_levels_stay_below_two_megabytes() {
    let mut pack = pack_of("name = 'large'\n[[stretches]]\ncolors = 20\nlevels = 1", 1);
    pack.levels = vec![pack.levels[0].clone(); 100];
    let size = page(&pack).len();
    assert!(size < 2_000_000, "{size} bytes");
}

#[test]
fn the_command_on_the_page_makes_the_pack_again() {
    let pack = small_pack();
    let page = page(&pack);
    let (_, command) = page.split_once("&#60;&#60;&#39;END&#39;\n").unwrap();
    let (toml, _) = command.split_once("\nEND<").unwrap();
    let toml = toml.replace("&#34;", "\"").replace("&#39;", "'");
    let (settings, seed) = config::read(&toml, &Overrides::default()).unwrap();
    assert_eq!((settings, seed), (pack.settings, Some(pack.seed)));
}

#[test]
fn a_pack_without_figures_has_a_page() {
    let mut pack = small_pack();
    pack.levels.clear();
    assert!(page(&pack).contains("<h1>small</h1>"));
}

#[test]
fn figures_that_no_level_can_have_make_a_page_too() {
    let mut pack = small_pack();
    pack.settings.bands[1].from = f64::MAX;
    for (level, length) in pack.levels.iter_mut().zip([0, 1, u32::MAX]) {
        level.rating.optimal_length = length;
        level.rating.difficulty = f64::from(length) * 1e300;
        level.target = Some(-1e9);
    }
    assert!(page(&pack).contains("</html>"));
}

#[test]
fn the_picture_of_a_level_holds_every_unit() {
    let level = &small_pack().levels[0];
    let mut svg = Vec::new();
    level_svg(&level.level, MARKUP, &mut svg).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    let units: usize = level.level.stacks().iter().map(String::len).sum();
    assert_eq!(svg.matches("</text>").count(), units);
    assert!(!svg.contains("<script") && !svg.contains("<img"));
}
