// Elements of the page. Texts are set as texts, never as markup.

const PALETTE_SIZE = 20;

const byId = (id) => document.getElementById(id);

/** An element with properties, attributes (names with a dash, and role) and children. */
function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role') node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children);
  return node;
}

function unitView(scene, unit) {
  const striped = unit >= PALETTE_SIZE ? ' striped' : '';
  return element('span', { className: `unit u${unit % PALETTE_SIZE}${striped}` }, scene.labels[unit]);
}

/** The units of a stack, the top one first, as they are seen. */
function stackUnits(scene, stack) {
  const rooms = Array.from({ length: scene.height - stack.length }, () =>
    element('span', { className: 'unit' }),
  );
  return [...rooms, ...stack.map((unit) => unitView(scene, unit)).reverse()];
}

/** Most stacks of a row, on wide and on narrow screens. */
const ROWS = { wide: 11, narrow: 7 };

/** Gives a board rows of about the same length. */
function setRows(board, stacks) {
  for (const [screen, most] of Object.entries(ROWS)) {
    const rows = Math.ceil(stacks / most);
    board.style.setProperty(`--${screen}`, Math.ceil(stacks / rows));
    board.style.setProperty(`--${screen}-rows`, rows);
  }
}

/** A picture of stacks, without anything to press. */
function picture(scene, stacks, name) {
  const views = stacks.map((stack) =>
    element('span', { className: `stack ${scene.noun}` }, ...stackUnits(scene, stack)),
  );
  const board = element('span', { className: 'board mini', role: 'img', 'aria-label': name }, ...views);
  setRows(board, stacks.length);
  return board;
}

/** A stack in words. */
function describeStack(scene, stack, index) {
  if (stack.length === 0) return `${scene.noun} ${index}, empty`;
  const units = stack.map((unit) => scene.labels[unit]).join(' ');
  const full = stack.length === scene.height ? ', full' : '';
  return `${scene.noun} ${index}, bottom to top ${units}${full}`;
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function showError(...lines) {
  const box = byId('error');
  box.hidden = false;
  box.append(...lines.map((line) => element('p', {}, line)));
}
