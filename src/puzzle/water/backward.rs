//! The level from its end: solved positions, and the positions before a position.

use super::contents::{Content, EMPTY};
use super::space::{Slot, Space, Tubes};
use super::{Color, PourRule};

/// Every solved position. Under goal `sorted` there is exactly one.
pub(super) fn goals<T: Slot, const N: usize>(
    space: &Space<T, N>,
) -> impl Iterator<Item = Tubes<T, N>> + '_ {
    let colors: Vec<usize> =
        (0..space.units.len()).filter(|&color| space.units[color] > 0).collect();
    let fits = space.solved_blocks as usize <= space.drawn.len();
    let endings = fits.then(|| endings_of(space, &colors));
    endings.into_iter().flatten().map(|mut tubes| {
        tubes.resize(space.drawn.len(), EMPTY);
        space.canonical(&tubes)
    })
}

/// Every way in which the units of some colors can lie in the end, without empty tubes.
pub(super) fn endings_of<T: Slot, const N: usize>(
    space: &Space<T, N>,
    colors: &[usize],
) -> impl Iterator<Item = Vec<Content>> + use<T, N> {
    let endings: Vec<_> = colors.iter().map(|&color| endings(space, color)).collect();
    let mut choice = Some(vec![0; endings.len()]);
    std::iter::from_fn(move || {
        let chosen = choice.as_mut()?;
        let tubes = endings.iter().zip(&*chosen).flat_map(|(ways, &way)| &ways[way]).copied();
        let tubes = tubes.collect();
        if !count_up(chosen, &endings) {
            choice = None;
        }
        Some(tubes)
    })
}

/// The one solved position, where every color fills whole tubes.
pub(super) fn only_goal<T: Slot, const N: usize>(space: &Space<T, N>) -> Option<Tubes<T, N>> {
    let capacity = u16::from(space.capacity);
    if space.units.iter().any(|units| units % capacity != 0) {
        return None;
    }
    let mut tubes = Vec::with_capacity(space.drawn.len());
    for (color, &count) in space.needed.iter().enumerate().filter(|&(_, &count)| count > 0) {
        let full = space.contents.uniform(Color(color as u8), space.capacity);
        tubes.extend(std::iter::repeat_n(full, count.into()));
    }
    tubes.resize(space.drawn.len(), EMPTY);
    Some(space.canonical(&tubes))
}

/// The next choice of one way for every color, as an odometer counts; false after the last.
fn count_up(choice: &mut [usize], endings: &[Vec<Vec<Content>>]) -> bool {
    for (way, ways) in choice.iter_mut().zip(endings) {
        *way += 1;
        if *way < ways.len() {
            return true;
        }
        *way = 0;
    }
    false
}

/// The ways in which the units of a color can lie in the end.
fn endings<T: Slot, const N: usize>(space: &Space<T, N>, color: usize) -> Vec<Vec<Content>> {
    let tubes = usize::from(space.needed[color]);
    let missing = tubes * usize::from(space.capacity) - usize::from(space.units[color]);
    let mut ways = Vec::new();
    // The room left in each tube, largest first.
    spread(missing, space.capacity - 1, &mut Vec::new(), tubes, &mut |rooms| {
        let tube = |&room: &u8| space.contents.uniform(Color(color as u8), space.capacity - room);
        ways.push(rooms.iter().map(tube).collect());
    });
    ways
}

/// Calls `found` with every falling sequence of `parts` numbers from 0 to `most` that sum to
/// `total`.
fn spread(
    total: usize,
    most: u8,
    sequence: &mut Vec<u8>,
    parts: usize,
    found: &mut impl FnMut(&[u8]),
) {
    if sequence.len() == parts {
        if total == 0 {
            found(sequence);
        }
        return;
    }
    for part in (0..=most).filter(|&part| usize::from(part) <= total) {
        sequence.push(part);
        spread(total - usize::from(part), part, sequence, parts, found);
        sequence.pop();
    }
}

/// Replaces `out` by every distinct other position from which one pour leads to `state`, made by
/// the reverse pours that [`Water::can_unpour`](super::Water::can_unpour) spells out.
pub(super) fn predecessors<T: Slot, const N: usize>(
    space: &Space<T, N>,
    state: &Tubes<T, N>,
    out: &mut Vec<Tubes<T, N>>,
) {
    out.clear();
    let count = space.drawn.len();
    for from in (0..count).filter(|&place| state.slot(place) != EMPTY) {
        for onto in (0..count).filter(|&place| place != from) {
            let (giver, taker) = (state.slot(from), state.slot(onto));
            for_each_unpour(space, giver, taker, |after| {
                let before = space.replaced(state, (from, onto), after);
                if before != *state && !out.contains(&before) {
                    out.push(before);
                }
            });
        }
    }
}

/// Calls `found` with what two tubes were before each pour that leaves them as `giver` and `taker`.
fn for_each_unpour<T: Slot, const N: usize>(
    space: &Space<T, N>,
    giver: Content,
    taker: Content,
    mut found: impl FnMut((Content, Content)),
) {
    let contents = &space.contents;
    let (from, onto) = (contents.facts(giver), contents.facts(taker));
    let covers = onto.is_empty() || onto.top != from.top;
    let most = match space.pour {
        PourRule::Unit => 1,
        PourRule::Max if covers || from.room == 0 => from.run,
        PourRule::Whole if covers => from.run,
        PourRule::Max | PourRule::Whole => 0,
    };
    for units in 1..=most.min(onto.room) {
        let left = contents.take(giver, units);
        let shows_color = left == EMPTY || units < from.run;
        if let Some(grown) = contents.put(taker, from.top, units).filter(|_| shows_color) {
            found((left, grown));
        }
    }
}
