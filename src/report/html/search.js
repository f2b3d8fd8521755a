// A* on canonical positions, for hints: exact where it ends, and it says when it does not.

/** Positions that a search may store before it gives up. */
const SEARCH_LIMIT = 150000;

/** A lower bound on the moves to a solved position. */
function lowerBound(scene, stacks) {
  return scene.goal.kind === 'arrangement'
    ? boundOfArrangement(scene.goal.stacks, stacks)
    : boundOfColors(scene, stacks);
}

/**
 * A move merges at most two blocks, and only a move into an empty stack puts a color at a bottom
 * where it was not. Where moves take one unit, every unit above a bottom block moves too, and so
 * do all but the largest bottom blocks that a color can stay on.
 */
function boundOfColors(scene, stacks) {
  const needed = stacksNeeded(scene, stacks);
  const bottoms = scene.labels.map(() => []);
  let blocks = 0;
  let above = 0;
  for (const stack of stacks) {
    if (stack.length === 0) continue;
    let bottom = 1;
    while (bottom < stack.length && stack[bottom] === stack[0]) bottom += 1;
    bottoms[stack[0]].push(bottom);
    above += stack.length - bottom;
    blocks += 1;
    for (let place = bottom; place < stack.length; place += 1) {
      if (stack[place] !== stack[place - 1]) blocks += 1;
    }
  }
  let bound = blocks;
  let units = above;
  needed.forEach((count, unit) => {
    bound += Math.max(0, count - bottoms[unit].length) - count;
    const spare = bottoms[unit].sort((a, b) => b - a).slice(count);
    units += spare.reduce((sum, height) => sum + height, 0);
  });
  return scene.amount === 'one' ? Math.max(bound, units) : bound;
}

/**
 * Every unit that is not in place moves, and twice if it stands in its goal stack already or on a
 * unit that belongs below it there.
 */
function boundOfArrangement(goal, stacks) {
  const home = new Map();
  goal.forEach((stack, place) => stack.forEach((unit, height) => home.set(unit, { place, height })));
  let bound = 0;
  stacks.forEach((stack, place) => {
    let settled = 0;
    while (settled < stack.length && stack[settled] === goal[place][settled]) settled += 1;
    const lowest = new Map();
    stack.forEach((unit, height) => {
      const own = home.get(unit);
      if (height >= settled) {
        const twice = own.place === place || (lowest.get(own.place) ?? Infinity) < own.height;
        bound += twice ? 2 : 1;
      }
      lowest.set(own.place, Math.min(lowest.get(own.place) ?? Infinity, own.height));
    });
  });
  return bound;
}

/** A search that is run in slices, so that the page stays alive. */
class Search {
  constructor(scene, stacks) {
    this.scene = scene;
    this.root = key(scene, stacks);
    this.found = new Map([[this.root, { moves: 0, parent: null, done: false }]]);
    this.queue = [];
    this.push(this.root, lowerBound(scene, stacks));
  }

  push(text, estimate) {
    (this.queue[estimate] ??= []).push(text);
  }

  pop() {
    while (this.queue.length > 0) {
      const estimate = this.queue.findIndex((bucket) => bucket?.length > 0);
      if (estimate < 0) return null;
      const text = this.queue[estimate].pop();
      if (!this.found.get(text).done) return text;
    }
    return null;
  }

  /** Expands so many positions; the path, 'dead' or 'unknown' when it is over, else nothing. */
  run(expansions) {
    for (let count = 0; count < expansions; count += 1) {
      if (this.found.size > SEARCH_LIMIT) return { verdict: 'unknown' };
      const text = this.pop();
      if (text === null) return { verdict: 'dead' };
      const node = this.found.get(text);
      const stacks = fromKey(text);
      if (isSolved(this.scene, stacks)) return { verdict: 'solved', path: this.pathTo(text) };
      node.done = true;
      for (const { source, target, units } of legalMoves(this.scene, stacks)) {
        const next = afterMove(stacks, source, target, units);
        const nextKey = key(this.scene, next);
        const moves = node.moves + 1;
        const known = this.found.get(nextKey);
        if (known && known.moves <= moves) continue;
        this.found.set(nextKey, { moves, parent: text, done: false });
        this.push(nextKey, moves + lowerBound(this.scene, next));
      }
    }
    return null;
  }

  pathTo(text) {
    const path = [];
    for (let at = text; at !== null; at = this.found.get(at).parent) path.unshift(at);
    return path;
  }
}

/** What is known of the positions of one level; what a search finds holds for its whole path. */
class Knowledge {
  constructor(scene, solution) {
    this.scene = scene;
    this.answers = new Map();
    this.learnPath(solution.map((stacks) => key(scene, stacks)));
  }

  learnPath(path) {
    path.forEach((text, index) => {
      this.answers.set(text, { verdict: 'solved', moves: path.length - 1 - index, next: path[index + 1] });
    });
  }

  /** The answer for a position, if it needs no search. */
  at(stacks) {
    return this.answers.get(key(this.scene, stacks));
  }

  /** No way leads out of a dead end. */
  learnDead(stacks) {
    this.answers.set(key(this.scene, stacks), { verdict: 'dead' });
  }

  /** Searches a position, and calls back unless the returned function was called before. */
  ask(stacks, callBack) {
    const search = new Search(this.scene, stacks);
    let timer = null;
    const slice = () => {
      const result = search.run(400);
      if (result === null) {
        timer = setTimeout(slice);
        return;
      }
      if (result.verdict === 'solved') this.learnPath(result.path);
      else this.answers.set(search.root, { verdict: result.verdict, searched: search.found.size });
      callBack(this.at(stacks));
    };
    timer = setTimeout(slice);
    return () => clearTimeout(timer);
  }
}
