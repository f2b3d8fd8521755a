//! A level made ready for search: positions as what each cup stands on.
//!
//! A cup stands on another cup or on a *floor*. Columns that end empty are interchangeable and
//! share one floor; every other column has its own. So a position needs no sorting to be
//! canonical, and a move changes one entry.

use super::{Column, Cup, Cups, MAX_COLUMNS, MAX_CUPS, bounds};
use crate::puzzle::hash::mix;
use crate::puzzle::{BoundError, LowerBound, Move, Puzzle, State, Visitor};

/// What a cup stands on: a cup by its index, or [`FLOOR`] and the number of a floor.
type Support = u8;

/// The first floor.
const FLOOR: Support = MAX_CUPS as Support;

/// A set of cups.
pub(super) type CupSet = u64;

/// A position: what each cup stands on, and a hash. Entries beyond the level's cups stay 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrangement<const N: usize> {
    hash: u64,
    under: [Support; N],
}

impl<const N: usize> Arrangement<N> {
    pub(super) fn new(under: [Support; N], cups: usize) -> Self {
        let hash = |hash: u64, cup| hash.wrapping_add(place_hash(cup, under[cup]));
        Self { hash: (0..cups).fold(0, hash), under }
    }

    /// The position with one cup put elsewhere.
    fn with(&self, cup: usize, support: Support) -> Self {
        let mut next = *self;
        next.under[cup] = support;
        next.hash = next
            .hash
            .wrapping_sub(place_hash(cup, self.under[cup]))
            .wrapping_add(place_hash(cup, support));
        next
    }
}

fn place_hash(cup: usize, support: Support) -> u64 {
    mix((cup as u64) << 8 | u64::from(support))
}

impl<const N: usize> State for Arrangement<N> {
    fn hash(&self) -> u64 {
        self.hash
    }
}

/// A level of cup stacking made ready for search, for up to `N` cups.
#[derive(Debug)]
pub struct Space<const N: usize> {
    pub(super) cups: usize,
    /// The most cups that a column may hold.
    height: usize,
    /// How many columns each floor has.
    pub(super) floors: Vec<u8>,
    /// The floor of each drawn column.
    pub(super) floor_of: Vec<usize>,
    pub(super) level: Cups,
    start: Arrangement<N>,
    pub(super) goal: Arrangement<N>,
}

/// Makes a level ready, with states as small as its size allows.
pub(super) fn explore<V: Visitor>(level: &Cups, visitor: V) -> V::Output {
    match level.cups() {
        ..=16 => visitor.visit(&Space::<16>::new(level)),
        17..=32 => visitor.visit(&Space::<32>::new(level)),
        _ => visitor.visit(&Space::<MAX_CUPS>::new(level)),
    }
}

/// One column that is not empty, as the search sees it.
#[derive(Clone, Copy)]
struct Pile {
    top: u8,
    height: u8,
    /// Whether the whole pile is in place.
    settled: bool,
}

/// The columns of a position that are not empty, and how many stand on each floor.
struct Piles<const N: usize> {
    piles: [Pile; N],
    count: usize,
    used: Used,
}

/// How many columns of each floor are not empty.
type Used = [u8; MAX_COLUMNS];

impl<const N: usize> Piles<N> {
    fn iter(&self) -> impl Iterator<Item = &Pile> {
        self.piles[..self.count].iter()
    }
}

/// A cup as met on the way up its column.
pub(super) struct Met {
    pub cup: usize,
    /// The floor of its column.
    pub floor: usize,
    /// Whether it is the first of its column.
    pub first: bool,
    /// Whether it and all cups under it are in place.
    pub settled: bool,
}

impl<const N: usize> Space<N> {
    pub(super) fn new(level: &Cups) -> Self {
        let (mut floors, mut floor_of) = (Vec::new(), Vec::new());
        let mut shared = None;
        for column in 0..level.columns.len() {
            let floor = match shared {
                Some(floor) if level.interchangeable(column) => floor,
                _ => floors.len(),
            };
            if level.interchangeable(column) {
                shared = Some(floor);
            }
            floors.resize(floors.len().max(floor + 1), 0);
            floors[floor] += 1;
            floor_of.push(floor);
        }
        let cups = level.cups();
        let arrange = |columns: &[Column]| Arrangement::new(supports(columns, &floor_of), cups);
        Self {
            cups,
            height: level.height.map_or(MAX_CUPS, usize::from),
            start: arrange(&level.columns),
            goal: arrange(&level.goal),
            level: level.clone(),
            floors,
            floor_of,
        }
    }

    /// Whether a column may hold all cups.
    fn is_unlimited(&self) -> bool {
        self.height >= self.cups
    }

    /// A floor as something to stand on.
    pub(super) fn floor(floor: usize) -> Support {
        FLOOR + floor as Support
    }

    /// The floors with an empty column.
    fn vacant(&self, used: &Used) -> impl Iterator<Item = Support> {
        let floors = (FLOOR..).zip(self.floors.iter().zip(used));
        floors.filter(|(_, (columns, used))| used < columns).map(|(floor, _)| floor)
    }

    /// Meets every cup once, column by column, each from the bottom up.
    pub(super) fn walk(&self, state: &Arrangement<N>, mut meet: impl FnMut(Met)) {
        const NONE: u8 = u8::MAX;
        let mut above = [NONE; N];
        for cup in 0..self.cups {
            if let Some(above) = above.get_mut(usize::from(state.under[cup])) {
                *above = cup as u8;
            }
        }
        for bottom in (0..self.cups).filter(|&cup| state.under[cup] >= FLOOR) {
            let floor = usize::from(state.under[bottom] - FLOOR);
            let (mut cup, mut first, mut settled) = (bottom, true, true);
            loop {
                settled &= state.under[cup] == self.goal.under[cup];
                meet(Met { cup, floor, first, settled });
                if above[cup] == NONE {
                    break;
                }
                cup = above[cup].into();
                first = false;
            }
        }
    }

    fn piles(&self, state: &Arrangement<N>) -> Piles<N> {
        let none = Pile { top: 0, height: 0, settled: true };
        let mut piles = Piles { piles: [none; N], count: 0, used: [0; MAX_COLUMNS] };
        self.walk(state, |Met { cup, floor, first, settled }| {
            piles.count += usize::from(first);
            piles.used[floor] += u8::from(first);
            let pile = &mut piles.piles[piles.count - 1];
            *pile = Pile { top: cup as u8, height: pile.height + 1, settled };
        });
        piles
    }

    /// Calls `found` with every other position to which the top of `source` can go.
    fn for_each_move(
        &self,
        state: &Arrangement<N>,
        piles: &Piles<N>,
        source: &Pile,
        mut found: impl FnMut(Arrangement<N>),
    ) {
        let cup = usize::from(source.top);
        let open = |pile: &&Pile| pile.top != source.top && usize::from(pile.height) < self.height;
        for target in piles.iter().filter(open) {
            found(state.with(cup, target.top));
        }
        for floor in self.vacant(&piles.used).filter(|&floor| floor != state.under[cup]) {
            found(state.with(cup, floor));
        }
    }

    /// The position after a cup goes in place, if one can.
    fn settle_one(&self, state: &Arrangement<N>, piles: &Piles<N>) -> Option<Arrangement<N>> {
        let ready = |support: Support| {
            piles.iter().any(|pile| pile.settled && pile.top == support)
                || self.vacant(&piles.used).any(|floor| floor == support)
        };
        let mut tops = piles.iter().filter(|pile| !pile.settled).map(|pile| usize::from(pile.top));
        let cup = tops.find(|&cup| ready(self.goal.under[cup]))?;
        Some(state.with(cup, self.goal.under[cup]))
    }
}

fn supports<const N: usize>(columns: &[Column], floor_of: &[usize]) -> [Support; N] {
    let mut under = [0; N];
    for (column, &floor) in columns.iter().zip(floor_of) {
        let mut support = Space::<N>::floor(floor);
        for &Cup(cup) in column {
            under[usize::from(cup)] = support;
            support = cup;
        }
    }
    under
}

impl<const N: usize> Puzzle for Space<N> {
    type State = Arrangement<N>;

    const BOUNDS: &'static [&'static str] = bounds::NAMES;
    const RATING_BOUND: &'static str = "conflicts";

    fn start(&self) -> Self::State {
        self.start
    }

    fn is_solved(&self, state: &Self::State) -> bool {
        *state == self.goal
    }

    fn successors(&self, state: &Self::State, out: &mut Vec<Self::State>) {
        out.clear();
        let piles = self.piles(state);
        for source in piles.iter() {
            self.for_each_move(state, &piles, source, |next| out.push(next));
        }
    }

    /// Without a height limit, cups in place stay, and a top cup that can go in place goes at once.
    ///
    /// Proof: take a shortest solution and leave out all moves of the cups that are in place (or
    /// could be after one move). What remains is legal on the board where those cups lie at the
    /// bottom of their goal columns all the time: every column has the same other cups in the same
    /// order, so whichever cup moves is still on top. It saves the moves left out, and costs the one
    /// move of the cup that was put in place, which was among them. With a height limit a column
    /// may be too full for this: at height 2, to `1,2|3,4|`, the position `1|2|3,4` needs 7 moves,
    /// and 8 more after cup 2 went onto cup 1.
    fn useful_successors(&self, state: &Self::State, out: &mut Vec<Self::State>) {
        if !self.is_unlimited() {
            return self.successors(state, out);
        }
        out.clear();
        let piles = self.piles(state);
        if let Some(next) = self.settle_one(state, &piles) {
            return out.push(next);
        }
        for source in piles.iter().filter(|pile| !pile.settled) {
            self.for_each_move(state, &piles, source, |next| out.push(next));
        }
    }

    fn goals(&self) -> impl Iterator<Item = Self::State> + '_ {
        std::iter::once(self.goal)
    }

    /// Every move can be undone by a move: the cup's old column had room for it.
    fn predecessors(&self, state: &Self::State, out: &mut Vec<Self::State>) {
        self.successors(state, out);
    }

    fn bound(&self, name: &str) -> Result<Box<dyn LowerBound<Self::State> + '_>, BoundError> {
        bounds::named(self, name)
    }

    fn moves(&self, path: &[Self::State]) -> Vec<Move> {
        let mut columns = self.level.columns.clone();
        let mut step = |pair: &[Self::State]| {
            let cup = (0..self.cups).find(|&cup| pair[0].under[cup] != pair[1].under[cup])?;
            let stands_on = |column: usize, support: Support| match columns[column].last() {
                Some(&Cup(top)) => top == support,
                None => Self::floor(self.floor_of[column]) == support,
            };
            let all = 0..columns.len();
            let source = all.clone().find(|&column| stands_on(column, cup as Support))?;
            let target = all.clone().find(|&column| stands_on(column, pair[1].under[cup]))?;
            let moved = columns[source].pop();
            columns[target].extend(moved);
            Some(Move::new(source, target))
        };
        path.windows(2).map_while(&mut step).collect()
    }
}
