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
/// The limit rises to the least f that was cut off for the first 8 iterations; then in
/// steps that double, for by then the level may well be unsolvable, and one iteration per f would
/// search its space again and again. A solution found under such a limit lowers it to one move
/// less, and the search goes on (depth-first branch and bound) until nothing shorter is left.
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
        best: None,
        pending: Vec::new(),
    };
    let verdict = search.run();
    let mut stats = search.stats;
    stats.stored = search.table.used as u64;
    stats.bytes = search.table.bytes() + search.path_bytes() + bound.bytes();
    Outcome { verdict, stats }
}

/// Iterations before the limit rises in larger steps; few solvable levels need more.
const PATIENCE: u32 = 8;

enum Iteration {
    /// Everything within the limit was searched; the least f that was cut off, if any was.
    Done(Option<u32>),
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
    /// The shortest solution found.
    best: Option<Vec<P::State>>,
    /// Successors still to be entered, of all states on the path, with their f; a stack.
    pending: Vec<(u32, P::State)>,
}

impl<P: Puzzle> Search<'_, P> {
    fn run(&mut self) -> Verdict<P::State> {
        let start = self.puzzle.start();
        // No solution is shorter than this.
        let mut proven = self.bound.estimate(&start);
        let (mut iterations, mut step) = (0, 0);
        loop {
            let iteration = self.iterate(start, proven, proven + step);
            match (iteration, self.best.take()) {
                (Iteration::OutOfNodes, best) => {
                    return Verdict::Unknown { lower_bound: proven, best };
                }
                (Iteration::Done(_), Some(best)) => return Verdict::Solved(best),
                (Iteration::Done(None), None) => return Verdict::Unsolvable,
                (Iteration::Done(Some(cut)), None) => proven = cut,
            }
            iterations += 1;
            if iterations >= PATIENCE {
                step = 2 * step + 1;
            }
        }
    }

    /// Searches everything within the limit, down to solutions of the proven least length.
    fn iterate(&mut self, start: P::State, proven: u32, mut limit: u32) -> Iteration {
        self.path.clear();
        self.pending.clear();
        self.table.next_iteration();
        let mut cut: Option<u32> = None;
        let mut successors = Vec::new();
        self.pending.push((proven, start));
        loop {
            // Leave the states whose successors are all done.
            while self.path.pop_if(|frame| self.pending.len() == frame.pending_from).is_some() {}
            let Some((f, state)) = self.pending.pop() else { return Iteration::Done(cut) };
            if f > limit {
                continue;
            }
            let depth = self.path.len() as u32;
            if self.puzzle.is_solved(&state) {
                let path = self.path.iter().map(|frame| frame.state).chain([state]);
                self.best = Some(path.collect());
                if depth <= proven {
                    return Iteration::Done(None);
                }
                limit = depth - 1;
                continue;
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

    fn path_bytes(&self) -> u64 {
        let frames = self.path.capacity() * size_of::<Frame<P::State>>();
        (frames + self.pending.capacity() * size_of::<(u32, P::State)>()) as u64
    }
}

fn least(cut: Option<u32>, f: u32) -> Option<u32> {
    Some(cut.map_or(f, |cut| cut.min(f)))
}

/// Places where a state may stand. With one alone, two states of the same place would drive each
/// other out, and be searched again each time.
const WAYS: usize = 4;

struct Entry<S> {
    state: S,
    depth: u32,
    iteration: u32,
}

/// States by hash, each in one of [`WAYS`] neighboring places; grows up to its size.
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

    /// Where a state stands, or what it would replace: an entry of an earlier iteration, or the
    /// deepest, which saves the least work.
    fn place(&self, state: &S) -> usize {
        // Multiplies instead of dividing: any size, every place reached.
        let size = self.places.len();
        let first = ((u128::from(state.hash()) * size as u128) >> 64) as usize;
        let places = (first..first + WAYS).map(|place| place % size);
        let worth = |&place: &usize| match &self.places[place] {
            Some(entry) if entry.state == *state => 0,
            None => 1,
            Some(entry) if entry.iteration != self.iteration => 2,
            Some(entry) => 2 + (u32::MAX - 2 - entry.depth),
        };
        places.min_by_key(worth).unwrap_or(first)
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
