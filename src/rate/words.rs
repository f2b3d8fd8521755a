//! What a rating says, in plain words.

use super::Rating;

impl Rating {
    /// A few plain sentences on where the level is hard; none if it was not analyzed.
    ///
    /// ```
    /// use pourfect::{puzzle::Level, rate};
    /// let level = Level::water("RGRG|GRGR||")?;
    /// let rating = rate::rate(&level, &Default::default()).rating.expect("it is solvable");
    /// assert_eq!(rating.words(), ["no single mistake is fatal"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn words(&self) -> Vec<String> {
        let Some(mistakes) = &self.mistakes else { return Vec::new() };
        let mut words = Vec::new();
        if !mistakes.is_complete() {
            let percent = (mistakes.coverage * 100.0).floor();
            words.push(format!("a limit was reached: {percent} % of the choices were looked at"));
        }
        if mistakes.wrong_move_density == 0.0 {
            words.push("nothing can go wrong".to_owned());
        } else if mistakes.safe_from_move == 0 {
            words.push("no single mistake is fatal".to_owned());
        } else {
            let until = mistakes.safe_from_move;
            let one_in = (1.0 / mistakes.risk_until_safe).round();
            words.push(match one_in <= 1.0 {
                true => format!("nearly every wrong choice is fatal until move {until}"),
                false => format!("one wrong choice in {one_in} is fatal until move {until}"),
            });
            if until < self.optimal_length {
                words.push(format!("nothing fatal after move {until}"));
            }
        }
        if let Some(bait) = mistakes.baits.first() {
            words.push(format!("bait at move {bait}"));
        }
        words
    }
}
