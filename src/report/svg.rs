//! The picture of a level as one SVG, for a store page or a document.

use std::io::{self, Write};

use askama::Template;

use super::palette::{PaletteColor, palette_color};
use crate::puzzle::{Level, Scene, SceneGoal};

/// Width and height of a unit.
const UNIT: usize = 34;
/// Between a unit and the frame of its stack.
const INSET: usize = 4;
/// Between stacks, and around everything.
const GAP: usize = 14;
/// Above the caption's baseline and below it.
const CAPTION: usize = 22;
/// Stacks of a row; more make two rows and so on.
const ROW: usize = 9;

#[derive(Template)]
#[template(path = "level.svg", config = "src/report/html/askama.toml")]
struct Picture {
    title: String,
    width: usize,
    height: usize,
    frames: Vec<Frame>,
    captions: Vec<Caption>,
    units: Vec<Unit>,
}

struct Frame {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

struct Caption {
    x: usize,
    y: usize,
    text: String,
}

struct Unit {
    x: usize,
    y: usize,
    size: usize,
    color: PaletteColor,
    label: String,
}

/// Writes the picture of a level.
///
/// # Errors
/// The output cannot be written.
pub fn level_svg(level: &Level, title: &str, out: &mut dyn Write) -> io::Result<()> {
    let scene = level.scene();
    let mut picture = Picture {
        title: title.to_owned(),
        width: 0,
        height: GAP,
        frames: Vec::new(),
        captions: Vec::new(),
        units: Vec::new(),
    };
    picture.add(&scene, &scene.stacks);
    if let SceneGoal::Arrangement(goal) = &scene.goal {
        picture.captions.push(Caption {
            x: picture.width / 2,
            y: picture.height + CAPTION / 2,
            text: "goal".to_owned(),
        });
        picture.height += CAPTION;
        picture.add(&scene, goal);
    }
    picture.write_into(out)
}

impl Picture {
    /// Adds stacks below what is there, from the left, in rows of about the same length.
    fn add(&mut self, scene: &Scene, stacks: &[Vec<usize>]) {
        let rows = stacks.len().div_ceil(ROW).max(1);
        for stacks in stacks.chunks(stacks.len().div_ceil(rows).max(1)) {
            for (place, stack) in stacks.iter().enumerate() {
                let x = GAP + place * (UNIT + 2 * INSET + GAP);
                self.add_stack(scene, stack, x);
                self.width = self.width.max(x + UNIT + 2 * INSET + GAP);
            }
            self.height += scene.height * UNIT + 2 * INSET + GAP;
        }
    }

    fn add_stack(&mut self, scene: &Scene, stack: &[usize], x: usize) {
        let (y, height) = (self.height, scene.height * UNIT + 2 * INSET);
        self.frames.push(Frame { x, y, width: UNIT + 2 * INSET, height });
        for (place, &unit) in stack.iter().enumerate() {
            self.units.push(Unit {
                x: x + INSET + 1,
                y: y + height - INSET - (place + 1) * UNIT + 1,
                size: UNIT - 2,
                color: palette_color(unit),
                label: scene.labels[unit].clone(),
            });
        }
    }
}
