//! A* with a bucket queue.

use super::store::{NodeId, Store, Stored};
use super::{Limits, Outcome, Stats, Verdict};
use crate::puzzle::{LowerBound, Puzzle};

/// A* (Hart, Nilsson and Raphael, 1968) with a bucket for every f = depth + bound, newest first
/// inside a bucket.
///
/// f never falls along a path: a successor takes over its parent's if that is higher. With a
/// consistent bound a state is at its true depth when it is taken out; with one that is only
/// admissible it may be reached by a shorter way later, and is opened again. A state is closed only
/// when it is taken out: closing it when it is generated makes solutions one or two moves too long.
pub fn astar<P: Puzzle>(
    puzzle: &P,
    bound: &dyn LowerBound<P::State>,
    limits: &Limits,
) -> Outcome<P::State> {
    let mut search = Search {
        store: Store::new(limits.max_states),
        queue: Queue::default(),
        stats: Stats::default(),
    };
    let verdict = search.run(puzzle, bound);
    let mut stats = search.stats;
    stats.stored = search.store.len() as u64;
    stats.bytes = search.store.bytes() + search.queue.bytes();
    Outcome { verdict, stats }
}

struct Search<S> {
    store: Store<S>,
    queue: Queue,
    stats: Stats,
}

impl<S: crate::puzzle::State> Search<S> {
    fn run<P: Puzzle<State = S>>(&mut self, puzzle: &P, bound: &dyn LowerBound<S>) -> Verdict<S> {
        let start = puzzle.start();
        let estimate = bound.estimate(&start);
        match self.store.insert(start, 0, 0) {
            Stored::New(id) => self.queue.push(estimate, id, 0),
            Stored::Known(_) | Stored::Full => {
                return Verdict::Unknown { lower_bound: estimate, best: None };
            }
        }
        let mut successors = Vec::new();
        let mut solved: Option<NodeId> = None;
        while let Some((f, id, depth)) = self.queue.pop() {
            let node = self.store.node_mut(id);
            if node.closed || node.depth != depth {
                continue;
            }
            node.closed = true;
            let state = node.state;
            if puzzle.is_solved(&state) {
                return Verdict::Solved(self.store.path(id));
            }
            self.stats.expanded += 1;
            puzzle.useful_successors(&state, &mut successors);
            self.stats.generated += successors.len() as u64;
            for &successor in &successors {
                match self.store.insert(successor, id, depth + 1) {
                    Stored::New(child) => {
                        if puzzle.is_solved(&successor) {
                            solved = Some(child);
                        }
                        let f = f.max(u32::from(depth) + 1 + bound.estimate(&successor));
                        self.queue.push(f, child, depth + 1);
                    }
                    Stored::Known(child) => self.shorten(bound, child, id, depth + 1, f),
                    Stored::Full => {
                        let best = solved.map(|id| self.store.path(id));
                        return Verdict::Unknown { lower_bound: f, best };
                    }
                }
            }
        }
        Verdict::Unsolvable
    }

    /// Takes a shorter way to a stored state.
    fn shorten(
        &mut self,
        bound: &dyn LowerBound<S>,
        child: NodeId,
        parent: NodeId,
        depth: u16,
        f: u32,
    ) {
        let node = self.store.node_mut(child);
        if depth < node.depth {
            (node.depth, node.parent, node.closed) = (depth, parent, false);
            let f = f.max(u32::from(depth) + bound.estimate(&node.state));
            self.queue.push(f, child, depth);
        }
    }
}

/// Nodes by f. An entry whose node has meanwhile got another depth is stale.
#[derive(Default)]
struct Queue {
    buckets: Vec<Vec<(NodeId, u16)>>,
    /// No entry lies in a bucket before this one.
    lowest: usize,
}

impl Queue {
    fn push(&mut self, f: u32, id: NodeId, depth: u16) {
        let f = f as usize;
        if self.buckets.len() <= f {
            self.buckets.resize_with(f + 1, Vec::new);
        }
        self.buckets[f].push((id, depth));
    }

    fn pop(&mut self) -> Option<(u32, NodeId, u16)> {
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some((id, depth)) = bucket.pop() {
                return Some((self.lowest as u32, id, depth));
            }
            *bucket = Vec::new();
            self.lowest += 1;
        }
        None
    }

    fn bytes(&self) -> u64 {
        let entries: usize = self.buckets.iter().map(Vec::capacity).sum();
        (entries * size_of::<(NodeId, u16)>()) as u64
    }
}
