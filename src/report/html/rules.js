// The rules, as the level's scene states them. A position is an array of stacks, each an array of
// unit numbers, bottom first; positions are never changed in place.

/** The units of equal number on top of a stack. */
function topRun(stack) {
  let run = 0;
  while (run < stack.length && stack[stack.length - 1 - run] === stack.at(-1)) run += 1;
  return run;
}

/** How many units a move takes over, or why it is against the rules. */
function tryMove(scene, stacks, source, target) {
  const from = stacks[source];
  const onto = stacks[target];
  if (from === undefined || onto === undefined) return { refused: `there is no such ${scene.noun}` };
  if (source === target) return { refused: `source and target are one ${scene.noun}` };
  if (from.length === 0) return { refused: `${scene.noun} ${source} is empty` };
  if (scene.onto === 'same' && onto.length > 0 && onto.at(-1) !== from.at(-1)) {
    return { refused: `${scene.noun} ${target} shows another color` };
  }
  const room = scene.height - onto.length;
  const run = topRun(from);
  if (room <= 0 || (scene.amount === 'whole' && run > room)) {
    return { refused: `${scene.noun} ${target} has too little room` };
  }
  return { units: scene.amount === 'one' ? 1 : Math.min(run, room) };
}

/** The position after a legal move of so many units. */
function afterMove(stacks, source, target, units) {
  const next = stacks.slice();
  const kept = stacks[source].length - units;
  next[source] = stacks[source].slice(0, kept);
  next[target] = stacks[target].concat(stacks[source].slice(kept));
  return next;
}

/** Every legal move, in order of source and target. */
function legalMoves(scene, stacks) {
  const moves = [];
  for (let source = 0; source < stacks.length; source += 1) {
    for (let target = 0; target < stacks.length; target += 1) {
      const { units } = tryMove(scene, stacks, source, target);
      if (units) moves.push({ source, target, units });
    }
  }
  return moves;
}

/** How many stacks the units of each number need. */
function stacksNeeded(scene, stacks) {
  const units = scene.labels.map(() => 0);
  for (const stack of stacks) for (const unit of stack) units[unit] += 1;
  return units.map((count) => Math.ceil(count / scene.height));
}

function isSolved(scene, stacks) {
  if (scene.goal.kind === 'arrangement') return key(scene, stacks) === key(scene, scene.goal.stacks);
  if (!stacks.every((stack) => topRun(stack) === stack.length)) return false;
  if (scene.goal.kind === 'sorted') {
    return stacks.every((stack) => stack.length === 0 || stack.length === scene.height);
  }
  const used = scene.labels.map(() => 0);
  for (const stack of stacks) if (stack.length > 0) used[stack[0]] += 1;
  return stacksNeeded(scene, stacks).every((needed, unit) => used[unit] === needed);
}

/** A text that two positions share when no rule tells them apart. */
function key(scene, stacks) {
  const texts = stacks.map((stack) => stack.map((unit) => String.fromCharCode(256 + unit)).join(''));
  if (scene.goal.kind !== 'arrangement') return texts.sort().join('|');
  // Stacks that end empty have no names.
  const free = texts.filter((_, place) => scene.goal.stacks[place].length === 0).sort();
  return texts.map((text, place) => (scene.goal.stacks[place].length === 0 ? free.shift() : text)).join('|');
}

function fromKey(text) {
  return text.split('|').map((stack) => Array.from(stack, (symbol) => symbol.charCodeAt(0) - 256));
}

/** The positions along a list of moves, the first one included; throws where a move is refused. */
function replay(scene, moves) {
  const positions = [scene.stacks];
  moves.forEach(([source, target], index) => {
    const stacks = positions.at(-1);
    const { units, refused } = tryMove(scene, stacks, source, target);
    if (!units) throw new Error(`move ${index + 1} of its solution is against the rules: ${refused}`);
    positions.push(afterMove(stacks, source, target, units));
  });
  if (!isSolved(scene, positions.at(-1))) throw new Error('its solution does not solve it');
  return positions;
}
