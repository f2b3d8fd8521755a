//! Godot and Phaser: JSON with the tubes as lists of color numbers from 0, bottom first, and with
//! the moves that earn stars; the field names are those of the engine's language.

use std::io::Write;

use serde_json::{Value, json};

use super::cells::Writer;
use super::{ConvertError, Entry, File, Format, Loss, Options, Stars, Zero};

pub(super) struct Engine {
    pub name: &'static str,
    pub three_stars: &'static str,
    pub two_stars: &'static str,
}

impl Format for Engine {
    fn name(&self) -> &'static str {
        self.name
    }

    fn carries(&self, loss: Loss, _: &Options) -> bool {
        !matches!(loss, Loss::Names | Loss::Proof)
    }

    fn has_stars(&self) -> bool {
        true
    }

    fn read(&self, _: &str, _: &Options) -> Result<File, ConvertError> {
        Err(ConvertError::OnlyWritten(self.name))
    }

    fn write(
        &self,
        file: &File,
        options: &Options,
        out: &mut dyn Write,
    ) -> Result<(), ConvertError> {
        let writer = Writer { options, zero: Some(Zero::Color), names: &[] };
        let Stars { par, three, two } = options.stars;
        let (three_stars, two_stars) = (self.three_stars, self.two_stars);
        let level = |(index, entry): (usize, &Entry)| -> Result<Value, ConvertError> {
            let water = super::water(index, entry)?;
            let optimal_length = super::proven_length(index, entry)?;
            Ok(json!({
                "id": super::id(index, entry),
                "capacity": water.rules().capacity,
                "pour": water.rules().pour,
                "goal": water.rules().goal,
                "par": Stars::moves(par, optimal_length),
                three_stars: Stars::moves(three, optimal_length),
                two_stars: Stars::moves(two, optimal_length),
                "tubes": writer.tubes(&water)?,
            }))
        };
        super::write_list(out, "{\"levels\":[", file.entries.iter().enumerate().map(level), "]}")
    }
}
