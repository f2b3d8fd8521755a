// One level to play: moves, undo, hints, and its stored solution step by step.

/** Milliseconds between the moves of a solution that plays by itself. */
const PACE = 600;
class Player {
  constructor(pack, gallery, open) {
    this.pack = pack;
    this.gallery = gallery;
    this.open = open;
    this.dialog = byId('player');
    const on = (id, act) => byId(id).addEventListener('click', act);
    on('undo', () => this.undo());
    on('restart', () => this.jump(0, 'back at the start'));
    on('hint', () => this.hint());
    on('next', () => this.next());
    on('run', () => this.toggleRun());
    on('close', () => this.dialog.close());
    on('previous-level', () => this.step(-1));
    on('next-level', () => this.step(1));
    this.dialog.addEventListener('close', () => {
      this.stop();
      this.cancel?.();
      location.hash = '';
    });
    this.dialog.addEventListener('keydown', (event) => this.press(event));
  }

  show(level) {
    this.stop();
    this.cancel?.();
    this.level = level;
    byId('player-title').textContent = `Level ${level.number}`;
    byId('words').textContent = this.pack.cell(level, 'words');
    const figures = this.pack.columns
      .map((column, at) => [column, level.cells[at]])
      .filter(([, cell]) => cell !== '')
      .map(([column, cell]) => element('div', {}, element('dt', {}, column), element('dd', {}, cell)));
    byId('figures').replaceChildren(...figures);
    for (const id of ['undo', 'restart', 'hint', 'next', 'run']) byId(id).disabled = Boolean(level.fault);
    byId('board').replaceChildren();
    byId('solution').replaceChildren();
    byId('goal').hidden = true;
    if (!this.dialog.open) this.dialog.showModal();
    if (level.fault) {
      byId('progress').textContent = level.id;
      this.say(`This level cannot be played: ${level.fault}.`);
      this.judge('dead', 'Damaged.');
      return;
    }
    this.prepare(level);
  }

  prepare({ scene, positions, solution }) {
    this.scene = scene;
    this.texts = positions.map((stacks) => JSON.stringify(stacks));
    this.knowledge = this.level.knowledge ??= new Knowledge(scene, positions);
    this.stacks = scene.stacks.map((_, index) => {
      const stack = element('button', { type: 'button', className: `stack ${scene.noun}` });
      stack.addEventListener('click', () => this.choose(index));
      return stack;
    });
    byId('board').style.setProperty('--height', scene.height);
    setRows(byId('board'), this.stacks.length);
    byId('board').replaceChildren(...this.stacks);
    if (scene.goal.kind === 'arrangement') {
      byId('goal').hidden = false;
      byId('goal').replaceChildren('Goal', picture(scene, scene.goal.stacks, 'the goal'));
    }
    const steps = ['start', ...solution.map(([source, target]) => `${source}>${target}`)];
    byId('solution').replaceChildren(...steps.map((text, index) => {
      const step = element('button', { type: 'button' }, text);
      step.addEventListener('click', () => {
        this.stop();
        this.jump(index, index === 0 ? 'at the start' : `after move ${index} of the solution`);
      });
      return element('li', { value: index }, step);
    }));
    this.focused = 0;
    this.jump(0, `Choose a ${scene.noun} to take from, then one to put onto.`);
    this.stacks[0].focus();
  }

  hide() {
    if (this.dialog.open) this.dialog.close();
  }

  step(by) {
    const order = this.gallery.order;
    const at = order.findIndex((level) => level === this.level);
    const level = order[(at + by + order.length) % order.length];
    if (level) this.open(level.number);
  }

  get position() {
    return this.history.at(-1);
  }

  get moves() {
    return this.history.length - 1;
  }

  /** To a position of the stored solution, with the way there to be undone. */
  jump(index, words) {
    this.history = this.level.positions.slice(0, index + 1);
    this.say(words);
    this.changed();
  }

  undo() {
    this.stop();
    if (this.moves === 0) {
      this.say('There is nothing to undo.');
      return;
    }
    this.history.pop();
    this.say(`Undone; ${plural(this.moves, 'move')} made.`);
    this.changed();
  }

  /** A stack was clicked, tapped or typed: as the source, then as the target. */
  choose(index) {
    this.stop();
    this.focused = index;
    const { noun } = this.scene;
    if (this.chosen === index) {
      this.chosen = null;
      this.say(`${noun} ${index} is not chosen any more.`);
    } else if (this.chosen !== null) {
      this.tryTo(index);
    } else if (this.position[index].length === 0) {
      this.say(`${noun} ${index} is empty.`);
    } else {
      this.chosen = index;
      this.say(`${noun} ${index} is chosen.`);
    }
    this.draw();
  }

  tryTo(target) {
    const { refused } = tryMove(this.scene, this.position, this.chosen, target);
    if (!refused) {
      this.move(this.chosen, target);
      return;
    }
    const instead = this.position[target].length > 0;
    this.chosen = instead ? target : this.chosen;
    this.say(instead ? `${refused}: it is chosen now.` : `${refused}.`);
  }

  move(source, target) {
    const { units } = tryMove(this.scene, this.position, source, target);
    const label = this.scene.labels[this.position[source].at(-1)];
    this.history.push(afterMove(this.position, source, target, units));
    this.say(`${units} × ${label} from ${this.scene.noun} ${source} to ${target}.`);
    this.changed();
  }

  /** The place of the position on the stored solution, or -1. */
  place() {
    return this.texts.indexOf(JSON.stringify(this.position));
  }

  /** One move along the stored solution; whether there was one. */
  next() {
    const place = this.place();
    if (place < 0) {
      this.say('This position is not on the stored solution: undo or restart leads back to it.');
      return false;
    }
    if (place + 1 === this.texts.length) return false;
    this.move(...this.level.solution[place]);
    return true;
  }

  toggleRun() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.place() < 0 || this.place() + 1 === this.texts.length) this.jump(0, 'from the start');
    byId('run').setAttribute('aria-pressed', 'true');
    this.timer = setInterval(() => this.next() || this.stop(), PACE);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId('run').setAttribute('aria-pressed', 'false');
  }

  hint() {
    this.stop();
    const answer = this.knowledge.at(this.position);
    this.wantsHint = answer === undefined;
    if (answer === undefined) this.say('Searching for a hint …');
    else if (answer.verdict === 'dead') this.say('There is no hint: no solution from here. Undo.');
    else if (answer.verdict === 'unknown') this.say('No hint is known for this position.');
    else if (answer.next === undefined) this.say('It is solved.');
    else this.showHint(answer.next);
  }

  showHint(next) {
    const leads = ({ source, target, units }) =>
      key(this.scene, afterMove(this.position, source, target, units)) === next;
    this.hinted = legalMoves(this.scene, this.position).find(leads);
    this.chosen = null;
    this.say(`Hint: ${this.scene.noun} ${this.hinted.source} onto ${this.scene.noun} ${this.hinted.target}.`);
    this.draw();
  }

  /** After any change of the position: what is known of it, or a search. */
  changed() {
    this.chosen = null;
    this.hinted = null;
    this.wantsHint = false;
    this.cancel?.();
    const before = this.history.at(-2);
    if (before && this.knowledge.at(before)?.verdict === 'dead') this.knowledge.learnDead(this.position);
    this.draw();
    const answer = this.knowledge.at(this.position);
    if (answer) {
      this.tell(answer);
      return;
    }
    this.judge('', 'Searching from here …');
    this.cancel = this.knowledge.ask(this.position, (found) => {
      this.tell(found);
      if (this.wantsHint) this.hint();
    });
  }

  tell({ verdict, moves, searched }) {
    const over = this.moves + moves - this.level.solution.length;
    const against = over === 0 ? 'the optimum' : `${over} over the optimum`;
    if (verdict === 'dead') {
      this.judge('dead', '✕ Dead end: there is no solution from here.');
    } else if (verdict === 'unknown') {
      this.judge('', `Not known whether this can be solved: ${searched} positions were searched.`);
    } else if (moves === 0) {
      this.judge('solved', `✓ Solved in ${plural(this.moves, 'move')}: ${against}.`);
    } else {
      this.judge('', `From here ${plural(moves, 'move')} at best: ${against} in all.`);
    }
  }

  judge(kind, words) {
    byId('verdict').className = `verdict ${kind}`;
    byId('verdict').textContent = words;
  }

  say(words) {
    byId('message').textContent = words.charAt(0).toUpperCase() + words.slice(1);
  }

  draw() {
    const { scene, position } = this;
    const optimum = plural(this.level.solution.length, 'move');
    byId('progress').textContent = `${plural(this.moves, 'move')} made, ${optimum} at best`;
    this.stacks.forEach((view, index) => {
      const may = this.chosen !== null && Boolean(tryMove(scene, position, this.chosen, index).units);
      const marks = [
        [this.chosen === index, 'chosen', 'chosen'],
        [may, 'target', 'can be put onto'],
        [this.hinted?.source === index, 'from', 'hint: take from here'],
        [this.hinted?.target === index, 'onto', 'hint: put here'],
      ].filter(([holds]) => holds);
      view.className = [`stack ${scene.noun}`, ...marks.map(([, name]) => name)].join(' ');
      const words = [describeStack(scene, position[index], index), ...marks.map(([, , text]) => text)];
      view.setAttribute('aria-label', words.join(', '));
      view.setAttribute('aria-pressed', String(this.chosen === index));
      view.tabIndex = index === this.focused ? 0 : -1;
      const number = element('span', { className: 'number' }, String(index));
      view.replaceChildren(...stackUnits(scene, position[index]), number);
    });
    byId('undo').disabled = this.moves === 0;
    const place = this.place();
    byId('next').disabled = place + 1 === this.texts.length;
    [...byId('solution').children].forEach((item, index) => {
      const step = item.firstChild;
      if (index === place) step.setAttribute('aria-current', 'step');
      else step.removeAttribute('aria-current');
    });
  }

  press(event) {
    if (this.level.fault || event.ctrlKey || event.altKey || event.metaKey) return;
    const commands = { u: 'undo', r: 'restart', h: 'hint', n: 'next' };
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    const pressed = event.key.toLowerCase();
    if (commands[pressed]) {
      byId(commands[pressed]).click();
    } else if (/^\d$/.test(event.key) && Number(event.key) < this.stacks.length) {
      this.choose(Number(event.key));
    } else if (steps[event.key] && this.stacks.includes(document.activeElement)) {
      const last = this.stacks.length - 1;
      this.focused = Math.min(last, Math.max(0, this.focused + steps[event.key]));
      this.draw();
    } else {
      return;
    }
    event.preventDefault();
    if (!byId('solution').contains(document.activeElement)) this.stacks[this.focused].focus();
  }
}
