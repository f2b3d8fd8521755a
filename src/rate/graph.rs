//! The positions of one level that its rating has looked at, each made and expanded once.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::puzzle::{Puzzle, State};

/// The number of a position in a [`Graph`].
pub(super) type NodeId = u32;

/// Which successors a graph follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moves {
    /// Every one: what a player can do.
    All,
    /// Enough for distances: what a search needs.
    Useful,
}

/// Positions by number, with their successors once somebody asked for them.
pub(super) struct Graph<'p, P: Puzzle> {
    puzzle: &'p P,
    moves: Moves,
    states: Vec<P::State>,
    table: HashTable<NodeId>,
    /// Where a position's successors stand in `edges`, once it is expanded.
    spans: Vec<Option<(u32, u32)>>,
    edges: Vec<NodeId>,
    buffer: Vec<P::State>,
}

impl<'p, P: Puzzle> Graph<'p, P> {
    /// The number of the level's own position.
    pub const START: NodeId = 0;

    /// The graph of a level, with nothing in it but the start.
    pub fn new(puzzle: &'p P, moves: Moves) -> Self {
        let mut graph = Self {
            puzzle,
            moves,
            states: Vec::new(),
            table: HashTable::new(),
            spans: Vec::new(),
            edges: Vec::new(),
            buffer: Vec::new(),
        };
        graph.id(puzzle.start());
        graph
    }

    /// Forgets every position but the start; numbers given before mean nothing any more.
    pub fn forget(&mut self) {
        *self = Self::new(self.puzzle, self.moves);
    }

    /// The number of a position, a new one if need be.
    pub fn id(&mut self, state: P::State) -> NodeId {
        let states = &self.states;
        let same = |&id: &NodeId| states[id as usize] == state;
        let hasher = |&id: &NodeId| states[id as usize].hash();
        match self.table.entry(state.hash(), same, hasher) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let id = states.len() as NodeId;
                entry.insert(id);
                self.states.push(state);
                self.spans.push(None);
                id
            }
        }
    }

    /// The position of a number.
    pub fn state(&self, id: NodeId) -> &P::State {
        &self.states[id as usize]
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether a position is solved.
    pub fn is_solved(&self, id: NodeId) -> bool {
        self.puzzle.is_solved(self.state(id))
    }

    /// The successors of a position.
    pub fn successors(&mut self, id: NodeId) -> &[NodeId] {
        let (from, to) = match self.spans[id as usize] {
            Some(span) => span,
            None => self.expand(id),
        };
        &self.edges[from as usize..to as usize]
    }

    fn expand(&mut self, id: NodeId) -> (u32, u32) {
        let mut buffer = std::mem::take(&mut self.buffer);
        match self.moves {
            Moves::All => self.puzzle.successors(self.state(id), &mut buffer),
            Moves::Useful => self.puzzle.useful_successors(self.state(id), &mut buffer),
        }
        let from = self.edges.len() as u32;
        for &state in &buffer {
            let successor = self.id(state);
            self.edges.push(successor);
        }
        self.buffer = buffer;
        let span = (from, self.edges.len() as u32);
        self.spans[id as usize] = Some(span);
        span
    }
}
