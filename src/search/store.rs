//! The visited set: states in a row, found by hash, compared as a whole.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::puzzle::State;

/// The place of a node in a [`Store`].
pub(super) type NodeId = u32;

/// A stored state with the way to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<S> {
    pub state: S,
    /// The node before; a root is its own parent.
    pub parent: NodeId,
    /// Moves from the root.
    pub depth: u16,
    /// Whether the node was expanded at this depth.
    pub closed: bool,
    /// Whether its bound was refined at this depth.
    pub refined: bool,
}

/// States with the way to them, up to a limit.
pub(super) struct Store<S> {
    nodes: Vec<Node<S>>,
    table: HashTable<NodeId>,
    limit: usize,
}

/// What became of a state that was to be stored.
pub(super) enum Stored {
    /// It is new, and now stored.
    New(NodeId),
    /// It was stored before.
    Known(NodeId),
    /// It is new, and there is no more room.
    Full,
}

impl<S: State> Store<S> {
    /// A store of at most `limit` states (and of at most 2^32 - 1).
    pub fn new(limit: usize) -> Self {
        Self { nodes: Vec::new(), table: HashTable::new(), limit: limit.min(NodeId::MAX as usize) }
    }

    pub fn insert(&mut self, state: S, parent: NodeId, depth: u16) -> Stored {
        let nodes = &self.nodes;
        let same = |&id: &NodeId| nodes[id as usize].state == state;
        let hasher = |&id: &NodeId| nodes[id as usize].state.hash();
        if nodes.len() >= self.limit {
            return match self.table.find(state.hash(), same) {
                Some(&id) => Stored::Known(id),
                None => Stored::Full,
            };
        }
        match self.table.entry(state.hash(), same, hasher) {
            Entry::Occupied(entry) => Stored::Known(*entry.get()),
            Entry::Vacant(entry) => {
                let id = nodes.len() as NodeId;
                entry.insert(id);
                self.nodes.push(Node { state, parent, depth, closed: false, refined: false });
                Stored::New(id)
            }
        }
    }

    /// The node of a state, if it is stored.
    pub fn find(&self, state: &S) -> Option<NodeId> {
        let same = |&id: &NodeId| self.node(id).state == *state;
        self.table.find(state.hash(), same).copied()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, id: NodeId) -> &Node<S> {
        &self.nodes[id as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<S> {
        &mut self.nodes[id as usize]
    }

    /// The states from the root to a node.
    pub fn path(&self, mut id: NodeId) -> Vec<S> {
        let mut path = vec![self.node(id).state];
        while self.node(id).parent != id {
            id = self.node(id).parent;
            path.push(self.node(id).state);
        }
        path.reverse();
        path
    }

    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node<S>>();
        (nodes + self.table.allocation_size()) as u64
    }
}
