// Reads the data, checks it, and starts the page. What is wrong is said on the page.

const SCHEMA_VERSION = 1;

/** Throws unless a scene can be drawn and played. */
function checkScene(scene) {
  const isUnit = (unit) => Number.isInteger(unit) && unit >= 0 && unit < scene.labels.length;
  const isStack = (stack) => Array.isArray(stack) && stack.length <= scene.height && stack.every(isUnit);
  const areStacks = (stacks) => Array.isArray(stacks) && stacks.length > 0 && stacks.every(isStack);
  const isText = (text) => typeof text === 'string';
  const isWell =
    Array.isArray(scene?.labels) && scene.labels.every(isText) && isText(scene.noun) &&
    Number.isInteger(scene.height) && areStacks(scene.stacks) &&
    ['max', 'whole', 'one'].includes(scene.amount) && ['same', 'any'].includes(scene.onto) &&
    ['sorted', 'uniform', 'arrangement'].includes(scene.goal?.kind) &&
    (scene.goal.kind !== 'arrangement' || isArrangement(scene, areStacks));
  if (!isWell) throw new Error('its position or rules cannot be read');
}

/** Whether the goal holds the same units in as many stacks. */
function isArrangement({ stacks, goal }, areStacks) {
  const units = (all) => all.flat().sort((a, b) => a - b).join();
  return areStacks(goal.stacks) && goal.stacks.length === stacks.length && units(goal.stacks) === units(stacks);
}

class Pack {
  constructor(text) {
    let data;
    try {
      data = JSON.parse(text);
    } catch (error) {
      throw new Error(`The data of this page is damaged: ${error.message}`);
    }
    if (data?.schemaVersion !== SCHEMA_VERSION) {
      throw new Error(`The data of this page has schema version ${data?.schemaVersion}; the page reads ${SCHEMA_VERSION}.`);
    }
    if (!Array.isArray(data.columns) || !Array.isArray(data.levels)) {
      throw new Error('The data of this page is damaged: it has no columns or no levels.');
    }
    this.columns = data.columns.map(String);
    this.levels = data.levels.map((level, number) => this.read(level, number));
  }

  /** A level with its solution played; what is wrong with it becomes its fault. */
  read(level, number) {
    const cells = this.columns.map((_, at) => String(level?.cells?.[at] ?? ''));
    const read = { number, id: String(level?.id), cells, scene: level?.scene, solution: level?.solution };
    try {
      checkScene(read.scene);
      if (!Array.isArray(read.solution)) throw new Error('its solution cannot be read');
      read.positions = replay(read.scene, read.solution);
      const stated = this.cell(read, 'optimal_length');
      if (stated !== '' && Number(stated) !== read.solution.length) {
        throw new Error(`its solution has ${read.solution.length} moves, not ${stated}`);
      }
    } catch (error) {
      read.fault = error.message;
    }
    return read;
  }

  cell(level, column) {
    return level.cells[this.columns.indexOf(column)] ?? '';
  }
}

function start() {
  const pack = new Pack(byId('data').textContent);
  const faults = pack.levels.filter((level) => level.fault);
  if (faults.length > 0) {
    const first = faults.slice(0, 10).map((level) => `Level ${level.number}: ${level.fault}.`);
    const rest = faults.length > first.length ? [`And ${faults.length - first.length} more.`] : [];
    showError(`${plural(faults.length, 'level')} of this pack cannot be trusted:`, ...first, ...rest);
  }
  const open = (number) => {
    location.hash = `level-${number}`;
  };
  const gallery = new Gallery(pack, open);
  const player = new Player(pack, gallery, open);
  const follow = () => {
    const [, number] = location.hash.match(/^#level-(\d+)$/) ?? [];
    const level = number === undefined ? undefined : pack.levels[number];
    if (level) player.show(level);
    else player.hide();
  };
  window.addEventListener('hashchange', follow);
  follow();
}

function copyCommand() {
  const range = document.createRange();
  range.selectNodeContents(byId('command'));
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  byId('copy').textContent = document.execCommand('copy') ? 'Copied' : 'Selected: press Ctrl+C';
}

window.addEventListener('error', (event) => showError(`A fault of this page: ${event.message}`));
byId('copy').addEventListener('click', copyCommand);
try {
  start();
} catch (error) {
  showError(error.message);
}
