// Hazard tables as heat maps: a row what the second instruction does, a column a target and a number of passes. A cell
// has the manual's number and the compiler's, or the one that both have.

/** "7", or "5 → 0" where the manual (left) and the compiler differ; "–" is no row in the manual, "refused" a pair that the compiler did not take. */
function hazardText(cell) {
  const compiler = cell.refused ? 'refused' : `${cell.needed}${cell.missed_at?.length ? ` (${cell.given} left at ${cell.missed_at.join(', ')})` : ''}`;
  if (cell.verdict === 'equal') return cell.isa === null && cell.needed === 0 ? '0' : compiler;
  return `${cell.isa ?? '–'} → ${compiler}`;
}

const hazardSigns = { equal: '', stricter: '△', looser: '▼' };

function hazardTitle(cell, target) {
  const names = (list) => list.map((n) => hazards.names[n]).join(', ');
  return [`${target}: ${cell.first}${cell.passes ? `, ${cell.passes} passes` : ''}; ${cell.second}`,
    `ISA ${cell.isa ?? 'has no row'}${cell.isa_row ? ` (${cell.isa_row})` : ''}; compiler ${cell.refused ?? cell.needed}: ${cell.verdict}`,
    `asked of ${names(cell.instructions)}; ${names(cell.consumers)}`, cell.remark].filter(Boolean).map(visible).join('\n');
}

/** The heat is the larger of the two numbers, of the widest spacing that was tried. */
function hazardCell(cells, target) {
  if (cells.length === 0) return make('td', { class: 'heat absent' }, make('span', { class: 'unseen' }, 'no such pair'));
  const worst = cells.find((c) => c.refused) ?? cells.find((c) => c.verdict === 'looser') ?? cells.find((c) => c.verdict === 'stricter') ?? cells[0];
  const heat = Math.max(...cells.map((cell) => Math.max(cell.isa ?? 0, cell.needed ?? 0))) / hazards.widest_spacing;
  return make('td', { class: 'heat', 'data-verdict': worst.verdict, style: `--heat:${heat.toFixed(2)}`,
    title: cells.map((cell) => hazardTitle(cell, target)).join('\n') },
  hazardSigns[worst.verdict] ? [make('span', { class: 'sign', 'aria-hidden': 'true' }, hazardSigns[worst.verdict]),
    make('span', { class: 'unseen' }, worst.verdict)] : null,
  ` ${cells.map(hazardText).join('; ')}`);
}

/** One table: rows by `label`, columns by target and passes. */
function hazardTable(title, cells, label, passesOf) {
  const names = Object.keys(hazards.targets);
  const columns = names.flatMap((target) => passesOf.map((passes) => ({ target, passes })));
  const rows = [...new Set(cells.map(({ cell }) => label(cell)))];
  return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Wait states: ${title}` },
    make('table', { class: 'hazard' },
      make('caption', {}, title),
      make('thead', {},
        passesOf.length > 1 || passesOf[0] ? make('tr', {}, make('td'), names.map((target) =>
          make('th', { scope: 'colgroup', colspan: passesOf.length, class: 'edge' }, target))) : null,
        make('tr', {}, make('th', { scope: 'col' }, 'then'), columns.map(({ target, passes }) =>
          make('th', { scope: 'col', class: passes === passesOf[0] ? 'edge' : null }, passes ? `${passes} passes` : target)))),
      make('tbody', {}, rows.map((row) => {
        const own = cells.filter(({ cell }) => label(cell) === row);
        return make('tr', { class: own.some(({ cell }) => cell.verdict !== 'equal') ? null : 'agrees' },
          make('th', { scope: 'row' }, visible(row)),
          columns.map(({ target, passes }) => hazardCell(
            own.filter((o) => o.target === target && o.cell.passes === passes).map((o) => o.cell), target)));
      }))));
}

function drawHazards() {
  const place = byId('hazard-tables');
  if (!hazards) {
    place.append(make('p', { class: 'notice' }, 'No table of hazards was given to this report: ',
      make('code', {}, 'cdna-cts hazards --format json --output hazards.json'), ' and ', make('code', {}, 'cdna-cts report --hazards hazards.json'), ' put it here.'));
    return;
  }
  const all = Object.entries(hazards.targets).flatMap(([target, { cells }]) => cells.map((cell) => ({ target, cell })));
  place.append(make('p', {}, `Wait states between two instructions: what the ISA manuals’ tables ask for, and what LLVM ${visible(hazards.llvm)}’s hazard pass adds. One number: both agree. `,
    make('b', {}, 'ISA → compiler'), ': they differ; ', make('span', { class: 'key', 'data-verdict': 'looser' }, '▼ looser'), ' than the manual or ',
    make('span', { class: 'key', 'data-verdict': 'stricter' }, '△ stricter'), '. The deeper the colour, the more wait states. Compiler checked: no GPU has shown any of these numbers.'),
  make('table', {}, make('caption', { class: 'unseen' }, 'Hazard cells by target'),
    make('thead', {}, make('tr', {}, ['Target', 'equal', 'stricter', 'looser'].map((t) => make('th', { scope: 'col' }, t)))),
    make('tbody', {}, Object.entries(hazards.targets).map(([target, { counts }]) => make('tr', {}, make('th', { scope: 'row' }, target),
      ['equal', 'stricter', 'looser'].map((verdict) => make('td', { class: 'number' }, String(counts[verdict]))))))),
  make('p', { class: 'hazard-choice' }, make('label', { class: 'chip' }, make('input', { type: 'checkbox', id: 'only-differences',
    onchange: (event) => place.classList.toggle('only-differences', event.target.checked) }), make('span', {}, 'Only where they differ'))));
  const matrix = all.filter(({ cell }) => cell.kind === 'matrix');
  for (const first of new Set(matrix.map(({ cell }) => cell.first))) {
    const cells = matrix.filter(({ cell }) => cell.first === first);
    const passesOf = [...new Set(cells.map(({ cell }) => cell.passes))].sort((a, b) => a - b);
    place.append(hazardTable(visible(first), cells, (cell) => cell.second, passesOf));
  }
  place.append(hazardTable('Other instructions', all.filter(({ cell }) => cell.kind === 'software'),
    (cell) => `${cell.first}, then ${cell.second}`, [0]));
}
