//! Exact distances of many positions of one level.

use super::graph::{Graph, Moves, NodeId};
use crate::puzzle::{LowerBound, Puzzle};

/// What is known of a position's distance to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    /// The least number of moves.
    Exact(u32),
    /// No moves solve the position.
    Dead,
    /// The limit was reached.
    Unknown,
}

/// Answers one distance after another, each question sharing what the ones before have proven.
///
/// Adaptive A* (Koenig and Likhachev, "Adaptive A*", AAMAS 2005): the goal stays, the start moves.
/// After a search that found the distance d, every position n that it reached in g(n) moves is
/// known to be at least d - g(n) from the goal, and the positions on the solution exactly so. A
/// search that found nothing has proven dead whatever it reached.
pub(super) struct Distances<'p, P: Puzzle> {
    graph: Graph<'p, P>,
    bound: &'p dyn LowerBound<P::State>,
    nodes: Vec<Node>,
    /// Most positions that may be stored.
    limit: usize,
    query: u32,
    /// Positions that the current search has reached.
    reached: Vec<NodeId>,
    queue: Vec<Vec<(NodeId, u32)>>,
}

#[derive(Clone, Copy)]
struct Node {
    /// Proven lower bound; `DEAD` if there is no solution.
    lower: u32,
    /// Whether `lower` is the distance.
    exact: bool,
    /// The latest search that reached the position, in how many moves, and from where.
    query: u32,
    depth: u32,
    parent: NodeId,
}

const DEAD: u32 = u32::MAX;

impl<'p, P: Puzzle> Distances<'p, P> {
    /// Knows nothing yet, and will store at most `limit` positions.
    pub fn new(puzzle: &'p P, bound: &'p dyn LowerBound<P::State>, limit: usize) -> Self {
        let graph = Graph::new(puzzle, Moves::Useful);
        let (nodes, reached, queue) = (Vec::new(), Vec::new(), Vec::new());
        Self { graph, bound, nodes, limit, query: 0, reached, queue }
    }

    /// Takes in a shortest solution, the start first.
    pub fn learn(&mut self, solution: &[P::State]) {
        for (left, &state) in solution.iter().rev().enumerate() {
            let id = self.node(state);
            let node = &mut self.nodes[id as usize];
            (node.lower, node.exact) = (left as u32, true);
        }
    }

    /// The distance of a position.
    pub fn of(&mut self, state: P::State) -> Distance {
        let start = self.node(state);
        match self.nodes[start as usize] {
            Node { lower: DEAD, .. } => Distance::Dead,
            Node { exact: true, lower, .. } => Distance::Exact(lower),
            _ => self.search(start),
        }
    }

    fn node(&mut self, state: P::State) -> NodeId {
        let id = self.graph.id(state);
        self.fill_up();
        id
    }

    /// Makes nodes of the graph's new positions.
    fn fill_up(&mut self) {
        for id in self.nodes.len()..self.graph.len() {
            let id = id as NodeId;
            let lower = self.bound.estimate(self.graph.state(id));
            let exact = self.graph.is_solved(id);
            self.nodes.push(Node { lower, exact, query: 0, depth: 0, parent: id });
        }
    }

    fn search(&mut self, start: NodeId) -> Distance {
        self.query += 1;
        self.reached.clear();
        self.queue.iter_mut().for_each(Vec::clear);
        self.reach(start, start, 0, 0);
        let mut f = 0;
        while f < self.queue.len() {
            let Some((id, depth)) = self.queue[f].pop() else {
                f += 1;
                continue;
            };
            let node = self.nodes[id as usize];
            if node.depth != depth {
                continue;
            }
            if node.exact {
                self.found(id);
                return Distance::Exact(depth + node.lower);
            }
            if self.graph.len() >= self.limit {
                return Distance::Unknown;
            }
            for index in 0..self.graph.successors(id).len() {
                let successor = self.graph.successors(id)[index];
                self.fill_up();
                self.reach(successor, id, depth + 1, f);
            }
        }
        for &id in &self.reached {
            self.nodes[id as usize].lower = DEAD;
        }
        Distance::Dead
    }

    /// Notes a way to a position, if it is the shortest yet and the position not known to be dead.
    fn reach(&mut self, id: NodeId, parent: NodeId, depth: u32, f: usize) {
        let node = &mut self.nodes[id as usize];
        let is_new = node.query != self.query;
        if node.lower == DEAD || (!is_new && node.depth <= depth) {
            return;
        }
        if is_new {
            self.reached.push(id);
        }
        (node.query, node.parent, node.depth) = (self.query, parent, depth);
        let f = f.max((depth + node.lower) as usize);
        if self.queue.len() <= f {
            self.queue.resize_with(f + 1, Vec::new);
        }
        self.queue[f].push((id, depth));
    }

    /// Learns from a search that ended at a position of known distance.
    fn found(&mut self, mut id: NodeId) {
        let last = self.nodes[id as usize];
        let total = last.depth + last.lower;
        for &reached in &self.reached {
            let node = &mut self.nodes[reached as usize];
            node.lower = node.lower.max(total.saturating_sub(node.depth));
        }
        while self.nodes[id as usize].depth > 0 {
            id = self.nodes[id as usize].parent;
            self.nodes[id as usize].exact = true;
        }
    }
}
