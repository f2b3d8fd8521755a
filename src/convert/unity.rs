//! Unity: `levels` of `bottles`, each an object of `capacity` and `colorsBottomToTop`. JsonUtility
//! reads it, because no list lies directly in a list.

use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cells::{Reader, Writer};
use super::{ConvertError, Entry, File, Format, Loss, Options, Stars, Zero};
use crate::puzzle::Fields;
use crate::read;

pub(super) struct Unity;

#[derive(Deserialize)]
struct Levels {
    levels: Vec<Level>,
}

/// A level as games write it; fields that say how it looks are passed over.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Level {
    #[serde(alias = "displayName")]
    id: Option<String>,
    pour: Option<String>,
    goal: Option<String>,
    #[serde(alias = "tubes")]
    bottles: Vec<Bottle>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bottle {
    capacity: u64,
    colors_bottom_to_top: Vec<Value>,
    #[serde(default)]
    hidden_layer_indexes: Vec<Value>,
    #[serde(default)]
    is_locked: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WrittenLevel {
    id: String,
    pour: &'static str,
    goal: &'static str,
    par: u64,
    three_stars: u64,
    two_stars: u64,
    bottles: Vec<WrittenBottle>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WrittenBottle {
    capacity: u8,
    colors_bottom_to_top: Vec<Value>,
}

impl Level {
    /// The rules that the level says, over those of the options.
    fn rules(&self, level: usize, options: &Options) -> Result<Fields, ConvertError> {
        let refuse = |reason: &str| ConvertError::Refused { level, reason: reason.to_owned() };
        if self.bottles.iter().any(|bottle| !bottle.hidden_layer_indexes.is_empty()) {
            return Err(refuse("hidden units are not supported"));
        }
        if self.bottles.iter().any(|bottle| bottle.is_locked) {
            return Err(refuse("locked bottles are not supported"));
        }
        let mut rules = options.rules.clone();
        for (name, rule) in [("pour", &self.pour), ("goal", &self.goal)] {
            rules.extend(rule.as_deref().map(|rule| (name.to_owned(), rule.into())));
        }
        if let Some(first) = self.bottles.first() {
            if self.bottles.iter().any(|bottle| bottle.capacity != first.capacity) {
                return Err(refuse("bottles of different capacities are not supported"));
            }
            rules.insert("capacity".to_owned(), first.capacity.into());
        }
        Ok(rules)
    }
}

impl Format for Unity {
    fn name(&self) -> &'static str {
        "unity"
    }

    fn carries(&self, loss: Loss, _: &Options) -> bool {
        !matches!(loss, Loss::Names | Loss::Proof)
    }

    fn has_stars(&self) -> bool {
        true
    }

    fn read(&self, text: &str, options: &Options) -> Result<File, ConvertError> {
        bottom_first(options)?;
        let Levels { levels } = read::json(text)?;
        let mut reader = Reader::new(options, Some(options.zero.ok_or(ConvertError::Zero)?));
        let mut entries = Vec::new();
        for (index, level) in levels.into_iter().enumerate() {
            let rules = level.rules(index, options)?;
            let tubes = level.bottles.iter().map(|bottle| &bottle.colors_bottom_to_top[..]);
            let read = reader.level(index, tubes, &rules)?;
            entries.push(Entry { id: level.id, ..read.into() });
        }
        Ok(reader.file(entries))
    }

    fn write(
        &self,
        file: &File,
        options: &Options,
        out: &mut dyn Write,
    ) -> Result<(), ConvertError> {
        bottom_first(options)?;
        let zero = Some(options.zero.unwrap_or(Zero::Color));
        let writer = Writer { options, zero, names: &[] };
        let Stars { par, three, two } = options.stars;
        let level = |(index, entry): (usize, &Entry)| {
            let water = super::water(index, entry)?;
            let optimal_length = super::proven_length(index, entry)?;
            let bottle = |colors_bottom_to_top| WrittenBottle {
                capacity: water.rules().capacity,
                colors_bottom_to_top,
            };
            Ok(WrittenLevel {
                id: super::id(index, entry),
                pour: water.rules().pour.name(),
                goal: water.rules().goal.name(),
                par: Stars::moves(par, optimal_length),
                three_stars: Stars::moves(three, optimal_length),
                two_stars: Stars::moves(two, optimal_length),
                bottles: writer.tubes(&water)?.into_iter().map(bottle).collect(),
            })
        };
        let levels = file.entries.iter().enumerate().map(level);
        super::write_list(out, "{\"levels\":[", levels, "]}")
    }
}

fn bottom_first(options: &Options) -> Result<(), ConvertError> {
    match options.top_first {
        true => Err(ConvertError::Form("`colorsBottomToTop` begins at the bottom, as it says")),
        false => Ok(()),
    }
}
