//! Breadth-first search from both ends.

use super::store::{NodeId, Store, Stored};
use super::{Limits, Outcome, Stats, Verdict};
use crate::puzzle::{Puzzle, State};

/// Bidirectional breadth-first search (Pohl, 1971): forward from the level, backward from the solved
/// positions by reverse moves, whole layers at a time, the smaller layer first.
///
/// Stopping rule: let the halves be complete to depths a and b without having met. Then no solution
/// has a + b moves or fewer, for on a shortest one the position after a moves would be in both.
/// So the first meeting while the next layer is made, at length a + b + 1, is a shortest solution.
/// The forward half may leave out needless moves, for a shortest solution without them remains.
pub fn bidirectional<P: Puzzle>(puzzle: &P, limits: &Limits) -> Outcome<P::State> {
    let mut search = Search {
        forward: Half::new(limits.max_states),
        backward: Half::new(limits.max_states),
        max_states: limits.max_states,
        stats: Stats::default(),
    };
    let verdict = search.run(puzzle);
    let mut stats = search.stats;
    stats.stored = search.stored() as u64;
    stats.bytes = search.forward.store.bytes() + search.backward.store.bytes();
    Outcome { verdict, stats }
}

/// One direction: its states in order of depth.
struct Half<S> {
    store: Store<S>,
    /// Where the states begin that are still to be expanded: those of the last complete layer.
    layer: NodeId,
    depth: u16,
}

impl<S: State> Half<S> {
    fn new(limit: usize) -> Self {
        Self { store: Store::new(limit), layer: 0, depth: 0 }
    }

    fn layer_len(&self) -> usize {
        self.store.len() - self.layer as usize
    }
}

enum Layer {
    /// A state of both halves, by its nodes: in the half that grew, and in the other.
    Met(NodeId, NodeId),
    Complete,
    Full,
}

struct Search<S> {
    forward: Half<S>,
    backward: Half<S>,
    max_states: usize,
    stats: Stats,
}

impl<S: State> Search<S> {
    fn stored(&self) -> usize {
        self.forward.store.len() + self.backward.store.len()
    }

    fn run<P: Puzzle<State = S>>(&mut self, puzzle: &P) -> Verdict<S> {
        let start = puzzle.start();
        if puzzle.is_solved(&start) {
            return Verdict::Solved(vec![start]);
        }
        let unknown = |lower_bound| Verdict::Unknown { lower_bound, best: None };
        if self.max_states == 0 {
            return unknown(1);
        }
        self.forward.store.insert(start, 0, 0);
        for goal in puzzle.goals() {
            if self.stored() >= self.max_states {
                return unknown(1);
            }
            // A root is its own parent.
            self.backward.store.insert(goal, self.backward.store.len() as NodeId, 0);
        }
        while self.forward.layer_len() > 0 && self.backward.layer_len() > 0 {
            let depth = u32::from(self.forward.depth) + u32::from(self.backward.depth);
            let onward = self.forward.layer_len() <= self.backward.layer_len();
            match self.grow(puzzle, onward) {
                Layer::Met(grown, other) => {
                    return Verdict::Solved(self.path(onward, grown, other));
                }
                Layer::Full => return unknown(depth + 1),
                Layer::Complete => {}
            }
        }
        Verdict::Unsolvable
    }

    /// Makes the next layer of one half.
    fn grow<P: Puzzle<State = S>>(&mut self, puzzle: &P, onward: bool) -> Layer {
        let Self { forward, backward, max_states, stats } = self;
        let (half, other) = if onward { (forward, backward) } else { (backward, forward) };
        let end = half.store.len() as NodeId;
        let mut neighbors = Vec::new();
        for id in half.layer..end {
            let state = half.store.node(id).state;
            stats.expanded += 1;
            if onward {
                puzzle.useful_successors(&state, &mut neighbors);
            } else {
                puzzle.predecessors(&state, &mut neighbors);
            }
            stats.generated += neighbors.len() as u64;
            for &neighbor in &neighbors {
                if half.store.find(&neighbor).is_some() {
                    continue;
                }
                if half.store.len() + other.store.len() >= *max_states {
                    return Layer::Full;
                }
                let Stored::New(grown) = half.store.insert(neighbor, id, half.depth + 1) else {
                    return Layer::Full;
                };
                if let Some(met) = other.store.find(&neighbor) {
                    return Layer::Met(grown, met);
                }
            }
        }
        half.layer = end;
        half.depth += 1;
        Layer::Complete
    }

    fn path(&self, onward: bool, grown: NodeId, other: NodeId) -> Vec<S> {
        let (ahead, behind) = if onward { (grown, other) } else { (other, grown) };
        let mut path = self.forward.store.path(ahead);
        path.extend(self.backward.store.path(behind).into_iter().rev().skip(1));
        path
    }
}
