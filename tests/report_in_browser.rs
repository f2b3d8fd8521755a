//! The page of a pack in a real browser. Left out, with a word, where no chromedriver is installed.

mod support;

use std::fs;

use pourfect::pack::Pack;
use pourfect::puzzle::{Level, Move};
use pourfect::random::{Stream, StreamId};
use pourfect::search::{self, Limits, Method, Proof};
use serde_json::{Value, json};
use support::browser::Browser;
use support::{cases, page, small_pack};
use tempfile::TempDir;

/// Opens a page in a browser, and does something with it; nothing may go wrong in the page.
fn with_page(page: &str, act: impl FnOnce(&Browser)) {
    let Some(browser) = Browser::start() else { return };
    open(&browser, page);
    act(&browser);
    browser.finish();
}

fn open(browser: &Browser, page: &str) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("report.html");
    fs::write(&file, page).unwrap();
    browser.open(&file);
}

fn with_pack(pack: &Pack, act: impl FnOnce(&Browser)) {
    with_page(&page(pack), act);
}

fn stack(index: u8) -> String {
    format!("#board > :nth-child({})", index + 1)
}

fn click_move(browser: &Browser, action: Move) {
    browser.click(&stack(action.source.0));
    browser.click(&stack(action.target.0));
}

fn solve(level: &Level) -> Proof {
    let limits = Limits::default();
    search::solve(level, &Method { algorithm: Default::default(), bound: None, limits })
        .unwrap()
        .proof
}

#[test]
fn levels_of_every_rule_are_solved_by_clicking_their_solutions() {
    let pack = small_pack();
    with_pack(&pack, |browser| {
        for index in [0, 2, 4, 9] {
            let level = &pack.levels[index];
            browser.click(&format!("#card-{index}"));
            for &action in &level.solution {
                click_move(browser, action);
            }
            let moves = level.solution.len();
            browser.wait_for("#verdict", &format!("Solved in {moves} moves: the optimum"));
            browser.click("#undo");
            browser.wait_for("#progress", &format!("{} moves made", moves - 1));
            browser.wait_for("#verdict", "From here 1 move at best");
            browser.click("#restart");
            browser.wait_for("#progress", "0 moves made");
            browser.click("#close");
        }
    });
}

#[test]
fn the_stored_solution_is_played_step_by_step() {
    let pack = small_pack();
    let moves = pack.levels[1].solution.len();
    with_pack(&pack, |browser| {
        browser.click("#card-1");
        browser.click(&format!("#solution > :nth-child({moves}) button"));
        browser.wait_for("#progress", &format!("{} moves made", moves - 1));
        browser.click("#next");
        browser.wait_for("#verdict", "Solved");
        browser.click("#run");
        browser.wait_for("#message", "×");
    });
}

#[test]
fn a_level_is_played_with_keys_alone() {
    let pack = small_pack();
    with_pack(&pack, |browser| {
        browser.click("#card-0");
        let first = pack.levels[0].solution[0];
        browser.press(&format!("{}{}", first.source.0, first.target.0));
        browser.wait_for("#progress", "1 move made");
        browser.press("u");
        browser.wait_for("#progress", "0 moves made");
        browser.press("h");
        browser.wait_for("#message", &format!("Hint: tube {}", first.source.0));
        browser.press("n");
        browser.wait_for("#progress", "1 move made");
        browser.press("r");
        browser.wait_for("#progress", "0 moves made");
        // Home, one to the right, Enter.
        browser.press("\u{e011}\u{e014}\u{e007}");
        browser.wait_for("#message", "Tube 1 is chosen");
        browser.press("\u{e00c}");
        assert_eq!(browser.run("return byId('player').open", json!([])), json!(false));
    });
}

#[test]
fn hints_and_dead_ends_hold_off_the_stored_solution() {
    let pack = small_pack();
    with_pack(&pack, |browser| {
        let mut dead_ends = 0;
        for (index, level) in pack.levels.iter().enumerate() {
            let first = level.level.legal_moves().into_iter().next_back().unwrap();
            let mut position = level.level.clone();
            position.play(first).unwrap();
            browser.run("location.hash = `level-${arguments[0]}`", json!([index]));
            browser.wait_for("#player-title", &format!("Level {index}"));
            click_move(browser, first);
            let proven = match solve(&position) {
                Proof::Solved(moves) => format!("From here {} moves at best", moves.len()),
                _ => "Dead end".to_owned(),
            };
            browser.wait_for("#verdict", &proven);
            // Any dead end, one move from a position of the stored solution.
            let mut board = level.level.clone();
            for (place, &next) in level.solution.iter().enumerate() {
                let dead = board.legal_moves().into_iter().find(|&action| {
                    let mut after = board.clone();
                    after.play(action).unwrap();
                    matches!(solve(&after), Proof::Unsolvable)
                });
                if let Some(action) = dead {
                    browser.click(&format!("#solution > :nth-child({}) button", place + 1));
                    click_move(browser, action);
                    browser.wait_for("#verdict", "Dead end");
                    browser.click("#hint");
                    browser.wait_for("#message", "no solution from here");
                    dead_ends += 1;
                    break;
                }
                board.play(next).unwrap();
            }
        }
        assert!(dead_ends > 0, "some level has a dead end");
    });
}

/// Searches in the page until there is an answer.
const SEARCH: &str = "
    const search = new Search(arguments[0], arguments[0].stacks);
    let result = null;
    while (result === null) result = search.run(1000);
    return result.path ? result.path.length - 1 : result.verdict;";

#[test]
fn the_search_of_the_page_agrees_with_proven_answers() {
    with_pack(&small_pack(), |browser| {
        for case in cases("cases.jsonl") {
            let found = browser.run(SEARCH, json!([case.level.scene()]));
            let proven = case.optimal.map_or(json!("dead"), |optimal| json!(optimal));
            assert!(found == proven || found == json!("unknown"), "{}: {found}", case.id);
            assert!(found == proven || case.level.stacks().len() > 10, "{}: {found}", case.id);
        }
    });
}

/// Searches with the page's bound, and then without any.
const SEARCH_TWICE: &str = "
    const run = () => {
        const search = new Search(arguments[0], arguments[0].stacks);
        let result = null;
        while (result === null) result = search.run(1000);
        return result.path?.length ?? result.verdict;
    };
    const bounded = run();
    const bound = window.lowerBound;
    window.lowerBound = () => 0;
    const blind = run();
    window.lowerBound = bound;
    return [bounded, blind];";

/// Numbered units, all different, in three columns; a position for every number.
fn numbered(number: u64, height: usize) -> Value {
    let mut random = Stream::new(StreamId { seed: 0, index: number, attempt: 0 }, 0);
    let mut deal = || {
        let mut units: Vec<usize> = (0..5).collect();
        random.shuffle(&mut units);
        let mut stacks = vec![vec![]; 3];
        for unit in units {
            let open: Vec<usize> = (0..3).filter(|&stack| stacks[stack].len() < height).collect();
            stacks[open[random.below(open.len() as u32) as usize]].push(unit);
        }
        stacks
    };
    json!({ "noun": "column", "labels": ["1", "2", "3", "4", "5"], "stacks": deal(), "height": height,
            "amount": "one", "onto": "any", "goal": { "kind": "arrangement", "stacks": deal() } })
}

#[test]
fn the_bounds_of_the_page_cost_no_move() {
    with_pack(&small_pack(), |browser| {
        let mut scenes: Vec<Value> =
            small_pack().levels.iter().map(|level| json!(level.level.scene())).collect();
        scenes.extend((0..40).map(|number| numbered(number, if number < 20 { 5 } else { 3 })));
        for goal in ["sorted", "uniform"] {
            let level = json!({ "tubes": ["ABBA", "BAC", "CC"], "capacity": 4, "goal": "uniform" });
            let mut scene = json!(serde_json::from_value::<Level>(level).unwrap().scene());
            scene["goal"] = json!({ "kind": goal });
            scenes.push(scene);
        }
        for scene in scenes {
            let found = browser.run(SEARCH_TWICE, json!([scene]));
            assert_eq!(found[0], found[1], "{scene}");
        }
    });
}

#[test]
fn a_height_limit_can_make_a_settled_unit_move_again() {
    with_pack(&small_pack(), |browser| {
        let scene = |stacks| {
            json!({ "noun": "column", "labels": ["1", "2", "3", "4"], "stacks": stacks, "height": 2,
                    "amount": "one", "onto": "any",
                    "goal": { "kind": "arrangement", "stacks": [[0, 1], [2, 3], []] } })
        };
        let search = |stacks| browser.run(SEARCH, json!([scene(stacks)]));
        assert_eq!(search(json!([[0], [1], [2, 3]])), 7);
        assert_eq!(search(json!([[0, 1], [], [2, 3]])), 8);
    });
}

/// The legal moves of a position, each with the position after it.
const MOVES: &str = "
    const [scene] = arguments;
    return legalMoves(scene, scene.stacks).map(({ source, target, units }) => {
        const after = afterMove(scene.stacks, source, target, units);
        return [`${source}>${target}`, after, isSolved(scene, after)];
    });";

#[test]
fn the_rules_of_the_page_are_the_rules_of_the_program() {
    let pack = small_pack();
    let after = |board: &Level, action: Move| {
        let mut after = board.clone();
        after.play(action).unwrap();
        after
    };
    with_pack(&pack, |browser| {
        for level in &pack.levels {
            let mut board = level.level.clone();
            for &action in &level.solution {
                let told = |&action: &Move| {
                    let after = after(&board, action);
                    json!([action, after.scene().stacks, after.is_solved()])
                };
                let moves: Vec<Value> = board.legal_moves().iter().map(told).collect();
                assert_eq!(browser.run(MOVES, json!([board.scene()])), json!(moves));
                board = after(&board, action);
            }
        }
    });
}

#[test]
fn the_gallery_is_sorted_and_filtered_by_columns() {
    let pack = small_pack();
    with_pack(&pack, |browser| {
        let shown = || {
            let titles =
                "return [...document.querySelectorAll('.card-title')].map((t) => t.innerText)";
            browser.run(titles, json!([]))
        };
        browser.click("#direction");
        assert_eq!(shown()[0], "Level 10");
        browser.click("#direction");
        browser.type_into("#sort", "pour");
        browser.click("#add-filter");
        browser.type_into(".filter select", "pour");
        browser.type_into(".filter input", "who");
        assert_eq!(shown(), json!(["Level 2", "Level 3"]));
        browser.wait_for("#count", "2 of 11 levels match");
        browser.click("#as-table");
        assert_eq!(browser.text("tbody th"), "Level 2");
        browser.click(".filter button");
        browser.type_into("#search", "no such text");
        browser.wait_for("#count", "0 of 11 levels match");
    });
}

#[test]
fn the_page_fits_wide_and_narrow_screens() {
    with_pack(&small_pack(), |browser| {
        for width in [1280, 390] {
            browser.resize(width);
            let overflow = "return document.documentElement.scrollWidth - innerWidth";
            assert!(browser.run(overflow, json!([])).as_i64().unwrap() <= 0);
            browser.click("#card-5");
            let overflow = "const box = byId('player'); return box.scrollWidth - box.clientWidth";
            assert!(browser.run(overflow, json!([])).as_i64().unwrap() <= 0);
            browser.click("#close");
        }
    });
}

#[test]
fn a_dot_of_a_plot_leads_to_its_level() {
    with_pack(&small_pack(), |browser| {
        browser.run(
            "document.querySelectorAll('figure a')[3].dispatchEvent(new MouseEvent('click'))",
            json!([]),
        );
        browser.wait_for("#player-title", "Level 3");
    });
}

#[test]
fn markup_in_a_pack_does_no_harm() {
    let mut pack = small_pack();
    let markup = "</script><script>document.title = 'harmed'</script><img src=x onerror=alert(1)>";
    pack.settings.bands[0].name = markup.to_owned();
    for level in &mut pack.levels {
        level.id = markup.to_owned();
        level.band = markup.to_owned();
    }
    with_pack(&pack, |browser| {
        browser.wait_for("#card-0", markup);
        browser.click("#card-0");
        browser.wait_for("#figures", markup);
        let title = browser.run("return document.title", json!([]));
        assert_eq!(title, json!("small: pack of levels"));
    });
}

#[test]
fn damaged_data_is_said_on_the_page() {
    let whole = page(&small_pack());
    with_page(&whole, |browser| {
        for (from, to, said) in [
            ("\"schemaVersion\":1", "\"schemaVersion\":", "The data of this page is damaged"),
            ("\"schemaVersion\":1", "\"schemaVersion\":99", "has schema version 99"),
            ("\"levels\":[", "\"other\":[", "it has no columns or no levels"),
            ("\"height\":4", "\"height\":\"4\"", "Level 0: its position or rules cannot be read"),
            ("\"solution\":[[", "\"solution\":[[9,9],[", "Level 0: move 1 of its solution"),
        ] {
            assert!(whole.contains(from), "{from}");
            open(browser, &whole.replacen(from, to, 1));
            browser.wait_for("#error", said);
        }
    });
}
