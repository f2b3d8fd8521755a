//! Levels in the terminal: letters always, in color where the terminal has it.

use std::io::{self, Write};

use anstyle::{RgbColor, Style};
use pourfect::puzzle::{Level, Scene, SceneGoal};
use pourfect::report::palette_color;

/// Draws a position, and its goal where that is an arrangement.
pub fn board(level: &Level, out: &mut dyn Write) -> io::Result<()> {
    let scene = level.scene();
    stacks(&scene, &scene.stacks, out)?;
    if let SceneGoal::Arrangement(goal) = &scene.goal {
        writeln!(out, "goal:")?;
        stacks(&scene, goal, out)?;
    }
    Ok(())
}

/// Draws stacks side by side, with their numbers below.
fn stacks(scene: &Scene, stacks: &[Vec<usize>], out: &mut dyn Write) -> io::Result<()> {
    let width = scene.labels.iter().map(String::len).max().unwrap_or(1).max(2);
    for height in (0..scene.height).rev() {
        for stack in stacks {
            match stack.get(height) {
                Some(&unit) => {
                    let style = style(unit);
                    write!(out, " {style}{:^1$}{style:#}", scene.labels[unit], width + 1)?;
                }
                None => write!(out, " {:^1$}", "·", width + 1)?,
            }
        }
        writeln!(out)?;
    }
    for number in 0..stacks.len() {
        write!(out, " {number:^0$}", width + 1)?;
    }
    writeln!(out)
}

/// A position on one line.
pub fn line(level: &Level) -> String {
    let scene = level.scene();
    let between = if scene.labels.iter().any(|label| label.len() > 1) { "," } else { "" };
    let unit = |&unit: &usize| {
        let style = style(unit);
        format!("{style}{}{style:#}", scene.labels[unit])
    };
    let stack = |stack: &Vec<usize>| stack.iter().map(unit).collect::<Vec<_>>().join(between);
    scene.stacks.iter().map(stack).collect::<Vec<_>>().join("|")
}

fn style(unit: usize) -> Style {
    let color = palette_color(unit);
    let [red, green, blue] = color.rgb;
    let label = if color.white_label { RgbColor(255, 255, 255) } else { RgbColor(0, 0, 0) };
    Style::new().bg_color(Some(RgbColor(red, green, blue).into())).fg_color(Some(label.into()))
}
