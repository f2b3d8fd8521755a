//! Iterative deepening A* with a transposition table of a fixed size.

use super::{Limits, Outcome, Stats, Verdict};
use crate::puzzle::{LowerBound, Puzzle, State};

/// IDA* (Korf, 1985): depth-first search cut off above a limit on f = depth + bound, which rises
/// until a solution is found. Memory is the table and the current path.
///
/// The table (Reinefeld and Marsland, 1994) remembers at which depth a state was entered *within
/// the current limit*; entering it again at the same depth or deeper finds nothing new. Entries of
/// earlier limits do not count: one that did would cut off the root itself (`|AB|AB`, capacity 2).
/// A newer entry takes the place of an older one, which costs work, never correctness.
///
/// A level is unsolvable only when a whole iteration cut nothing off by f; what a bound proves dead
/// is not cut off but done with.
pub fn idastar<P: Puzzle>(
    puzzle: &P,
    bound: &dyn LowerBound<P::State>,
    limits: &Limits,
) -> Outcome<P::State> {
    let mut search = Search {
        puzzle,
        bound,
        table: Table::new(limits.table_states),
        max_nodes: limits.max_nodes,
        stats: Stats::default(),
        path: Vec::new(),
        pending: Vec::new(),
    };
    let start = puzzle.start();
    let mut limit = bound.estimate(&start);
    let verdict = loop {
        match search.iterate(start, limit) {
            Iteration::Solved => break Verdict::Solved(search.path_states()),
            Iteration::CutAt(next) => limit = next,
            Iteration::Exhausted => break Verdict::Unsolvable,
            Iteration::OutOfNodes => break Verdict::Unknown { lower_bound: limit, best: None },
        }
    };
    let mut stats = search.stats;
    stats.stored = search.table.used as u64;
    stats.bytes = search.table.bytes() + search.path_bytes() + bound.bytes();
    Outcome { verdict, stats }
}

enum Iteration {
    Solved,
    /// Nothing found; the least f that was cut off.
    CutAt(u32),
    /// Nothing found, nothing cut off.
    Exhausted,
    OutOfNodes,
}

/// A state on the current path, and where its pending successors begin.
struct Frame<S> {
    state: S,
    pending_from: usize,
}

struct Search<'a, P: Puzzle> {
    puzzle: &'a P,
    bound: &'a dyn LowerBound<P::State>,
    table: Table<P::State>,
    max_nodes: u64,
    stats: Stats,
    path: Vec<Frame<P::State>>,
    /// Successors still to be entered, of all states on the path, with their f; a stack.
    pending: Vec<(u32, P::State)>,
}

impl<P: Puzzle> Search<'_, P> {
    fn iterate(&mut self, start: P::State, limit: u32) -> Iteration {
        self.path.clear();
        self.pending.clear();
        self.table.next_iteration();
        let mut cut: Option<u32> = None;
        let mut successors = Vec::new();
        self.pending.push((limit, start));
        loop {
            // Leave the states whose successors are all done.
            while self.path.pop_if(|frame| self.pending.len() == frame.pending_from).is_some() {}
            let Some((_, state)) = self.pending.pop() else {
                return cut.map_or(Iteration::Exhausted, Iteration::CutAt);
            };
            let depth = self.path.len() as u32;
            if self.puzzle.is_solved(&state) {
                self.path.push(Frame { state, pending_from: self.pending.len() });
                return Iteration::Solved;
            }
            if !self.table.enter(&state, depth) {
                continue;
            }
            if self.bound.refines() {
                let Some(more) = self.bound.refine(&state) else { continue };
                if depth + more > limit {
                    cut = least(cut, depth + more);
                    continue;
                }
            }
            if self.stats.expanded >= self.max_nodes {
                return Iteration::OutOfNodes;
            }
            self.stats.expanded += 1;
            self.puzzle.useful_successors(&state, &mut successors);
            self.stats.generated += successors.len() as u64;
            self.path.push(Frame { state, pending_from: self.pending.len() });
            self.push_within(limit, depth + 1, &successors, &mut cut);
        }
    }

    /// Makes the successors within the limit pending, the most promising last, so first taken.
    fn push_within(
        &mut self,
        limit: u32,
        depth: u32,
        successors: &[P::State],
        cut: &mut Option<u32>,
    ) {
        let from = self.pending.len();
        for &successor in successors {
            let f = depth + self.bound.estimate(&successor);
            if f <= limit {
                self.pending.push((f, successor));
            } else {
                *cut = least(*cut, f);
            }
        }
        self.pending[from..].sort_by_key(|&(f, _)| std::cmp::Reverse(f));
    }

    fn path_states(&self) -> Vec<P::State> {
        self.path.iter().map(|frame| frame.state).collect()
    }

    fn path_bytes(&self) -> u64 {
        let frames = self.path.capacity() * size_of::<Frame<P::State>>();
        (frames + self.pending.capacity() * size_of::<(u32, P::State)>()) as u64
    }
}

fn least(cut: Option<u32>, f: u32) -> Option<u32> {
    Some(cut.map_or(f, |cut| cut.min(f)))
}

struct Entry<S> {
    state: S,
    depth: u32,
    iteration: u32,
}

/// States by hash, one a place; grows up to its size.
struct Table<S> {
    places: Vec<Option<Entry<S>>>,
    max: usize,
    used: usize,
    iteration: u32,
}

impl<S: State> Table<S> {
    const FIRST_SIZE: usize = 1 << 10;

    fn new(max: usize) -> Self {
        let mut table = Self { places: Vec::new(), max, used: 0, iteration: 0 };
        table.resize(Self::FIRST_SIZE.min(max));
        table
    }

    fn resize(&mut self, size: usize) {
        let old = std::mem::take(&mut self.places);
        self.places.resize_with(size, || None);
        self.used = 0;
        for entry in old.into_iter().flatten() {
            let place = self.place(&entry.state);
            self.used += usize::from(self.places[place].is_none());
            self.places[place] = Some(entry);
        }
    }

    fn next_iteration(&mut self) {
        self.iteration += 1;
    }

    fn place(&self, state: &S) -> usize {
        // Multiplies instead of dividing: any size, every place reached.
        ((u128::from(state.hash()) * self.places.len() as u128) >> 64) as usize
    }

    /// Whether entering the state at this depth can find something new within this iteration;
    /// remembers it if so.
    fn enter(&mut self, state: &S, depth: u32) -> bool {
        if self.places.is_empty() {
            return true;
        }
        if self.used * 2 > self.places.len() && self.places.len() < self.max {
            self.resize((self.places.len() * 4).min(self.max));
        }
        let place = self.place(state);
        let iteration = self.iteration;
        if let Some(entry) = &self.places[place]
            && entry.iteration == iteration
            && entry.state == *state
            && entry.depth <= depth
        {
            return false;
        }
        self.used += usize::from(self.places[place].is_none());
        self.places[place] = Some(Entry { state: *state, depth, iteration });
        true
    }

    fn bytes(&self) -> u64 {
        (self.places.capacity() * size_of::<Option<Entry<S>>>()) as u64
    }
}
