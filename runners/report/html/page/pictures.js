// Pictures of layouts: each grid of a subject as a map whose cells name the lane that holds them.

const groupColours = 4;

/** "A[2][5]", "D[3][6][2]" of several blocks. */
function elementText(grid, [block, row, col]) {
  return `${grid.symbol}${grid.blocks > 1 ? `[${block}]` : ''}[${row}][${col}]`;
}

/** Everything that is known of an element, in words. */
function elementStory(grid, element) {
  const of = Object.fromEntries(grid.fields.map((field, n) => [field, element[n]]));
  const rest = grid.fields.slice(5).filter((field) => !['vgpr', 'low_bit'].includes(field))
    .map((field) => `${field.replaceAll('_', ' ')} ${of[field]}`);
  const bits = of.low_bit === undefined ? '' : `, bits ${Math.min(of.low_bit + grid.bits - 1, 31)}:${of.low_bit}`;
  const half = grid.bits === 16 && of.low_bit !== undefined ? ` (${of.low_bit === 0 ? 'low' : 'high'} half)` : '';
  return `${elementText(grid, element)}: lane ${of.lane}, item ${of.item}, ${grid.places[of.item] ?? ''}${of.vgpr === undefined ? '' : `, VGPR ${of.vgpr}`}${bits}${half}${rest.length ? '; ' + rest.join(', ') : ''}`;
}

/** Neighbours in `line` that one lane holds: [{from, length, lane}]. Each cell is a list of elements. */
function runsOf(line) {
  const runs = [];
  line.forEach((cell, at) => {
    const lane = cell.length ? cell[0][3] : null;
    const last = runs.at(-1);
    if (last && last.lane === lane && last.many === cell.length) last.length += 1;
    else runs.push({ from: at, length: 1, lane, many: cell.length });
  });
  return runs.filter((run) => run.lane !== null);
}

/** How large a cell is drawn, and every how many rows or columns one is numbered. */
const extent = (cells, room, most) => Math.max(5, Math.min(most, Math.floor(room / cells)));
const step = (size, least) => [1, 2, 4, 8, 16, 32].find((n) => n * size >= least) ?? 64;

/** The map of one block: cells merged along the direction in which fewer runs are needed. */
function blockMap(grid, block, picture) {
  const { rows, cols } = grid;
  const cells = Array.from({ length: rows }, () => Array.from({ length: cols }, () => []));
  for (const element of grid.elements) if (element[0] === block) cells[element[1]][element[2]].push(element);
  const across = cells.flatMap((line, row) => runsOf(line).map((run) => ({ ...run, row, col: run.from, w: run.length, h: 1 })));
  const down = cells[0].flatMap((_, col) => runsOf(cells.map((line) => line[col])).map((run) => ({ ...run, row: run.from, col, w: 1, h: run.length })));
  const runs = across.length <= down.length ? across : down;
  const w = extent(cols, grid.blocks > 4 ? 120 : grid.blocks > 1 ? 280 : 640, 26), h = extent(rows, grid.blocks > 4 ? 120 : 520, 18);
  const left = 26, top = 16;
  const svg = makeSvg('svg', { viewBox: `0 0 ${left + cols * w + 2} ${top + rows * h + 2}`, width: left + cols * w + 2, height: top + rows * h + 2, 'aria-hidden': 'true', focusable: 'false' });
  svg.append(makeSvg('rect', { class: 'nobody', x: left, y: top, width: cols * w, height: rows * h }));
  for (let col = 0; col < cols; col += step(w, 22)) svg.append(makeSvg('text', { class: 'tick', x: left + (col + 0.5) * w, y: top - 5 }, String(col)));
  for (let row = 0; row < rows; row += step(h, 12)) svg.append(makeSvg('text', { class: 'tick', x: left - 12, y: top + (row + 0.5) * h }, String(row)));
  for (const run of runs) {
    const group = Math.floor(run.lane / grid.lanes_of_group) % groupColours;
    svg.append(makeSvg('rect', { class: `run g${group}`, 'data-lane': run.lane, x: left + run.col * w, y: top + run.row * h, width: run.w * w, height: run.h * h }));
    const label = run.many > 1 ? `${run.lane}+` : String(run.lane);
    if (run.w * w >= 7 * label.length + 2 && run.h * h >= 10)
      svg.append(makeSvg('text', { class: 'lane', x: left + (run.col + run.w / 2) * w, y: top + (run.row + run.h / 2) * h }, label));
  }
  const cursor = makeSvg('rect', { class: 'cursor', width: w, height: h, visibility: 'hidden' });
  svg.append(cursor);

  const point = (row, col, spoken) => {
    cursor.setAttribute('x', left + col * w);
    cursor.setAttribute('y', top + row * h);
    cursor.setAttribute('visibility', 'visible');
    picture.tell(cells[row][col].map((element) => elementStory(grid, element)).join(' · ') || `${elementText(grid, [block, row, col])}: nobody’s`,
      cells[row][col].map((element) => element[3]), spoken);
  };
  let at = [0, 0];
  const box = make('div', { class: 'map', tabindex: '0', role: 'application', 'aria-roledescription': 'map of lanes',
    'aria-label': `${grid.symbol}${grid.blocks > 1 ? `, ${grid.block_is} ${block}` : ''}: ${rows} rows ${grid.row_is}, ${cols} columns ${grid.col_is}. Arrow keys move.` }, svg);
  const clamp = (value, end) => Math.max(0, Math.min(end - 1, value));
  box.addEventListener('pointermove', (event) => {
    const area = svg.getBoundingClientRect();
    const scale = (left + cols * w + 2) / area.width;
    at = [clamp(Math.floor(((event.clientY - area.top) * scale - top) / h), rows), clamp(Math.floor(((event.clientX - area.left) * scale - left) / w), cols)];
    point(...at, false);
  });
  box.addEventListener('keydown', (event) => {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const ends = { Home: [at[0], 0], End: [at[0], cols - 1] };
    if (moves[event.key]) at = [clamp(at[0] + moves[event.key][0], rows), clamp(at[1] + moves[event.key][1], cols)];
    else if (ends[event.key]) at = ends[event.key];
    else return;
    event.preventDefault();
    point(...at, true);
  });
  box.addEventListener('focus', () => { if (box.matches(':focus-visible')) point(...at, true); });
  const leave = () => cursor.setAttribute('visibility', 'hidden');
  box.addEventListener('blur', leave);
  box.addEventListener('pointerleave', leave);
  return box;
}

/** Lanes down, items across: the same as text. */
function laneTable(grid) {
  const held = new Map();
  for (const element of grid.elements) {
    const key = `${element[3]} ${element[4]}`;
    held.set(key, [...(held.get(key) ?? []), elementText(grid, element)]);
  }
  const lanes = [...new Set(grid.elements.map((element) => element[3]))].sort((a, b) => a - b);
  const items = [...new Set(grid.elements.map((element) => element[4]))].sort((a, b) => a - b);
  return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `${grid.symbol} by lane and item` },
    make('table', { class: 'lanes' },
      make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'Lane'), items.map((item) => make('th', { scope: 'col' }, grid.places[item] ?? `item ${item}`)))),
      make('tbody', {}, lanes.map((lane) => make('tr', {}, make('th', { scope: 'row' }, String(lane)),
        items.map((item) => make('td', {}, (held.get(`${lane} ${item}`) ?? ['–']).join(' '))))))));
}

function gridFigure(name, grid, picture) {
  const blocks = [...new Set(grid.elements.map((element) => element[0]))];
  const table = make('details', {}, make('summary', {}, `${grid.symbol} as a table`));
  table.addEventListener('toggle', () => { if (table.open && !table.querySelector('table')) table.append(laneTable(grid)); });
  return make('figure', { class: 'grid', 'data-grid': name },
    make('figcaption', {}, make('b', {}, grid.symbol), ` ${grid.rows} rows ${grid.row_is} × ${grid.cols} columns ${grid.col_is}${grid.blocks > 1 ? `, ${blocks.length} of ${plural(grid.blocks, grid.block_is)}` : ''}; ${visible(grid.type)}${grid.vgprs ? `, ${plural(grid.vgprs, 'VGPR')}` : ''}`),
    make('div', { class: 'maps' }, blocks.map((block) => make('div', {},
      grid.blocks > 1 ? make('div', { class: 'small' }, `${grid.block_is} ${block}`) : null, blockMap(grid, block, picture)))),
    table);
}

function groupLegend(grid, lanes) {
  const groups = [...new Set([...lanes].map((lane) => Math.floor(lane / grid.lanes_of_group)))].sort((a, b) => a - b);
  return make('ul', { class: 'groups' }, groups.slice(0, groupColours).map((group) => make('li', {},
    make('span', { class: `swatch g${group % groupColours}`, 'aria-hidden': 'true' }),
    `lanes ${group * grid.lanes_of_group}–${(group + 1) * grid.lanes_of_group - 1}`)),
  groups.length > groupColours ? make('li', {}, 'and so on, the colours again') : null);
}

/** The picture that `key` names: an argument list of `cdna-cts layout`, of which `--operand` chooses grids. */
function drawPicture(key) {
  const [subject, operand] = key.split(' --operand ');
  const whole = pictureOf(subject);
  const { grids, subject: title, target, notes, ...facts } = whole;
  const names = Object.keys(grids).filter((name) => !operand || name === operand);
  const shown = operand || !grids.d ? names : names.filter((name) => name !== 'c'); // C is laid out as D
  const lanes = new Set(shown.flatMap((name) => grids[name].elements.map((element) => element[3])));
  const story = make('output', { class: 'story', 'aria-live': 'off' }, 'Point at an element to see who holds it.');
  const figure = make('div', { class: 'picture', 'data-picture': key });
  const picture = {
    tell(text, told, spoken) {
      story.setAttribute('aria-live', spoken ? 'polite' : 'off'); // a pointer that passes by is not read out
      story.textContent = text;
      for (const rect of figure.querySelectorAll('.run')) rect.classList.toggle('same', told.includes(Number(rect.dataset.lane)));
    },
  };
  figure.append(
    make('h3', {}, make('code', {}, visible(title)), ' ', make('span', { class: 'quiet' }, `${factsText(facts)}; shown for ${target}`)),
    ...(notes ?? []).map((note) => make('p', { class: 'small' }, visible(note))),
    groupLegend(grids[shown[0]], lanes), story,
    make('div', { class: 'grids' }, shown.map((name) => gridFigure(name, grids[name], picture))),
    make('p', { class: 'small' }, make('code', {}, `cdna-cts layout ${key}`)));
  return figure;
}

/** "16×16×32, 4 blocks" of a matrix instruction, "banks 32, stride 4" of what is none: the facts that are one value. */
function factsText({ m, n, k, blocks, ...others }) {
  if (m !== undefined) return `${m}×${n}×${k}${blocks > 1 ? `, ${blocks} blocks` : ''}`;
  return Object.entries(others).filter(([name, value]) => typeof value === 'number' && name !== 'kind')
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`).join(', ');
}

function picturesOfClaim(keys) {
  return keys.filter((key) => key.split(' --operand ')[0] in pictures).map((key) => drawPicture(key));
}

function drawLayouts() {
  const choice = byId('layout-choice');
  const keys = Object.keys(pictures);
  if (keys.length === 0) {
    byId('layout-picture').append(make('p', { class: 'notice' }, 'This report holds no layouts.'));
    return;
  }
  choice.append(make('option', { value: '' }, `choose one of ${keys.length}`), ...keys.map((key) => make('option', { value: key }, key)));
  choice.addEventListener('change', () => byId('layout-picture').replaceChildren(...(choice.value ? [drawPicture(choice.value)] : [])));
}
