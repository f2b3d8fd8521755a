// The levels as pictures or as a table; sorted and filtered by every column of the report.

/** Levels drawn at a time. */
const PAGE = 60;

const COMPARISONS = {
  contains: (cell, value) => cell.toLowerCase().includes(value.toLowerCase()),
  '=': (cell, value) => compareCells(cell, value) === 0,
  '≥': (cell, value) => cell !== '' && compareCells(cell, value) >= 0,
  '≤': (cell, value) => cell !== '' && compareCells(cell, value) <= 0,
};

/** Numbers by value, texts by their characters, numbers before texts. */
function compareCells(a, b) {
  const [x, y] = [a, b].map((cell) => (cell.trim() === '' ? NaN : Number(cell)));
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return a < b ? -1 : Number(a > b);
}

class Gallery {
  constructor(pack, open) {
    this.pack = pack;
    this.open = open;
    this.shown = PAGE;
    this.descending = false;
    const options = (select) => {
      select.append(...pack.columns.map((column) => element('option', { value: column }, column)));
      return select;
    };
    this.sort = options(byId('sort'));
    this.sort.value = pack.columns.includes('index') ? 'index' : pack.columns[0];
    this.newSelect = () => options(element('select', { 'aria-label': 'Column' }));
    byId('tools').addEventListener('submit', (event) => event.preventDefault());
    byId('search').addEventListener('input', () => this.restart());
    this.sort.addEventListener('change', () => this.restart());
    byId('direction').addEventListener('click', () => this.sortBy(this.sort.value, !this.descending));
    byId('add-filter').addEventListener('click', () => this.addFilter());
    byId('as-pictures').addEventListener('click', () => this.view(false));
    byId('as-table').addEventListener('click', () => this.view(true));
    byId('more').addEventListener('click', () => {
      this.shown += PAGE;
      this.draw();
    });
    this.view(false);
  }

  view(asTable) {
    this.asTable = asTable;
    byId('as-pictures').setAttribute('aria-pressed', String(!asTable));
    byId('as-table').setAttribute('aria-pressed', String(asTable));
    byId('gallery').hidden = asTable;
    byId('table').hidden = !asTable;
    this.draw();
  }

  sortBy(column, descending) {
    this.sort.value = column;
    this.descending = descending;
    byId('direction').setAttribute('aria-pressed', String(descending));
    this.restart();
  }

  addFilter() {
    const column = this.newSelect();
    const comparison = element('select', { 'aria-label': 'Comparison' });
    comparison.append(...Object.keys(COMPARISONS).map((name) => element('option', { value: name }, name)));
    const value = element('input', { 'aria-label': 'Value', placeholder: 'value' });
    const remove = element('button', { type: 'button' }, 'Remove');
    const row = element('div', { className: 'filter' }, column, comparison, value, remove);
    row.addEventListener('input', () => this.restart());
    remove.addEventListener('click', () => {
      row.remove();
      byId('add-filter').focus();
      this.restart();
    });
    byId('filters').append(row);
    column.focus();
  }

  /** The levels that pass every filter, in order. */
  levels() {
    const text = byId('search').value.toLowerCase();
    const filters = [...byId('filters').children].map((row) => {
      const [column, comparison, value] = [...row.children].map((part) => part.value);
      return { at: this.pack.columns.indexOf(column), passes: COMPARISONS[comparison], value };
    });
    const at = this.pack.columns.indexOf(this.sort.value);
    const sign = this.descending ? -1 : 1;
    return this.pack.levels
      .filter(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(text)))
      .filter(({ cells }) =>
        filters.every(({ at: column, passes, value }) => value === '' || passes(cells[column], value)),
      )
      .sort((a, b) => sign * compareCells(a.cells[at], b.cells[at]) || a.number - b.number);
  }

  restart() {
    this.shown = PAGE;
    this.draw();
  }

  draw() {
    this.order = this.levels();
    const levels = this.order.slice(0, this.shown);
    const all = this.pack.levels.length;
    const matching = this.order.length < all ? `${this.order.length} of ${plural(all, 'level')} match` : plural(all, 'level');
    byId('count').textContent =
      levels.length < this.order.length ? `${matching}, the first ${levels.length} shown` : matching;
    byId('more').hidden = levels.length === this.order.length;
    if (this.asTable) byId('table').replaceChildren(this.drawTable(levels));
    else byId('gallery').replaceChildren(...levels.map((level) => this.drawCard(level)));
  }

  drawCard(level) {
    const cell = (column) => this.pack.cell(level, column);
    const facts = [
      cell('band'),
      cell('difficulty') && `difficulty ${cell('difficulty')}`,
      cell('optimal_length') && plural(Number(cell('optimal_length')), 'move'),
    ];
    const card = element(
      'button',
      { type: 'button', className: 'card', id: `card-${level.number}` },
      element('span', { className: 'card-title' }, `Level ${level.number}`),
      level.fault ? element('span', { className: 'fault' }, 'damaged') : picture(level.scene, level.scene.stacks, 'picture of the level'),
      element('span', { className: 'card-line' }, facts.filter(Boolean).join(' · ') || level.id),
      element('span', { className: 'card-words' }, cell('words')),
    );
    card.addEventListener('click', () => this.open(level.number));
    return card;
  }

  drawTable(levels) {
    const headers = this.pack.columns.map((column) => {
      const sorted = this.sort.value === column;
      const order = this.descending ? 'descending' : 'ascending';
      const button = element('button', { type: 'button' }, column);
      button.addEventListener('click', () => {
        this.sortBy(column, sorted && !this.descending);
        byId('table').querySelector('th[aria-sort] button')?.focus();
      });
      const header = element('th', { scope: 'col' }, button);
      if (sorted) header.setAttribute('aria-sort', order);
      return header;
    });
    const rows = levels.map((level) => {
      const cells = level.cells.map((cell) => element('td', {}, cell));
      const play = element('button', { type: 'button' }, `Level ${level.number}`);
      play.addEventListener('click', () => this.open(level.number));
      return element('tr', {}, element('th', { scope: 'row' }, play), ...cells);
    });
    const corner = element('th', { scope: 'col' }, 'play');
    return element(
      'table',
      {},
      element('thead', {}, element('tr', {}, corner, ...headers)),
      element('tbody', {}, ...rows),
    );
  }
}
