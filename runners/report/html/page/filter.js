// The filter of the claims, kept in the address: #target=gfx950&verdict=violated is a link to what it shows, and
// #CDNA-3.3 (or claim=CDNA-3.3 beside a filter) to one claim.

const noFilter = { text: '', doc: '', suite: '', target: '', verdict: [], evidence: [], claim: '' };
const listKeys = ['verdict', 'evidence'];
let filter = { ...noFilter };

function filterFrom(hash) {
  const words = hash.replace(/^#/, '');
  if (!words.includes('=')) return { ...noFilter, claim: report.claims.some(({ id }) => id === words) ? words : '' };
  const given = new URLSearchParams(words);
  return Object.fromEntries(Object.entries(noFilter).map(([key, none]) =>
    [key, listKeys.includes(key) ? given.getAll(key) : given.get(key) ?? none]));
}

function filterLink(values) {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(values))
    for (const one of [value].flat()) if (one !== '') words.append(key, one);
  return `#${words}`;
}

/** What a claim's text is searched in, made once. */
const searchTexts = new Map();
function searchText(claim) {
  if (!searchTexts.has(claim.id)) {
    const more = data.manifests.claims[claim.id] ?? {};
    const parts = [claim.id, claim.claim, claim.suite, more.trap, more.note];
    for (const on of Object.values(claim.targets)) {
      parts.push(on.reason);
      for (const n of on.tests) parts.push(report.tests[n].test, report.tests[n].detail);
    }
    searchTexts.set(claim.id, parts.join('\n').toLowerCase());
  }
  return searchTexts.get(claim.id);
}

/** Whether the evidence of a row has a result in one of the columns asked for; 'none': in no column. */
function hasEvidence(on, asked) {
  const present = Object.keys(kinds).filter((kind) => settled(on.evidence[kind]));
  return asked.length === 0 || asked.some((kind) => (kind === 'none' ? present.length === 0 : present.includes(kind)));
}

function passes(claim, target, on) {
  return (!filter.target || filter.target === target) &&
    (filter.verdict.length === 0 || filter.verdict.includes(on.verdict)) && hasEvidence(on, filter.evidence);
}

/** Shows the rows that pass, and says how many. The rows of one claim share its first and last cell. */
function applyFilter() {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  let claims = 0, results = 0, all = 0;
  for (const claim of report.claims) {
    const body = byId(claim.id);
    const inText = (!filter.doc || filter.doc === claim.doc) && (!filter.suite || filter.suite === claim.suite) &&
      words.every((word) => searchText(claim).includes(word));
    const rows = [...body.querySelectorAll(':scope > tr[data-target]')];
    const shown = rows.filter((row) => {
      const target = row.dataset.target;
      return inText && passes(claim, target, claim.targets[target]);
    });
    all += rows.length;
    claims += shown.length > 0;
    results += shown.length;
    for (const row of rows) row.hidden = !shown.includes(row);
    body.hidden = shown.length === 0;
    moveSharedCells(body, shown);
  }
  byId('count').textContent = `${claims} of ${plural(report.claims.length, 'claim')}, ${results} of ${plural(all, 'result')}`;
  byId('none-found').hidden = claims > 0;
  byId('f-clear').disabled = JSON.stringify({ ...filter, claim: '' }) === JSON.stringify(noFilter);
}

function moveSharedCells(body, shown) {
  if (shown.length === 0) return;
  for (const cell of body.querySelectorAll(':scope > tr > .id, :scope > tr > .says')) {
    cell.rowSpan = shown.length;
    if (cell.parentElement === shown[0]) continue;
    if (cell.classList.contains('id')) shown[0].prepend(cell);
    else shown[0].append(cell);
  }
}

/** The filter into the controls. */
function showFilter() {
  for (const key of ['text', 'doc', 'suite', 'target']) byId(`f-${key}`).value = filter[key];
  for (const key of listKeys)
    for (const box of byId(`f-${key}`).querySelectorAll('input')) box.checked = filter[key].includes(box.value);
}

/** The controls into the filter and the address. */
function readFilter() {
  filter = { ...noFilter };
  for (const key of ['text', 'doc', 'suite', 'target']) filter[key] = byId(`f-${key}`).value;
  for (const key of listKeys)
    filter[key] = [...byId(`f-${key}`).querySelectorAll('input:checked')].map((box) => box.value);
  history.replaceState(null, '', filterLink(filter) === '#' ? location.pathname + location.search : filterLink(filter));
  applyFilter();
}

/** The address into the page: its filter, its claim opened, its section in view. */
function followAddress() {
  const hash = decodeURIComponent(location.hash);
  const section = !hash.includes('=') && hash.length > 1 && !report.claims.some(({ id }) => `#${id}` === hash);
  if (section) return; // the browser goes there, the filter stays
  filter = filterFrom(location.hash);
  showFilter();
  applyFilter();
  if (filter.claim && byId(filter.claim)) {
    if (byId(filter.claim).hidden) {
      filter = { ...noFilter, claim: filter.claim };
      showFilter();
      applyFilter();
    }
    setOpen(filter.claim, true);
    byId(filter.claim).scrollIntoView();
  } else if (hash.includes('=')) {
    byId('claims').scrollIntoView();
  }
}

function choices(select, all, values) {
  select.append(make('option', { value: '' }, all), ...values.map(([value, text]) => make('option', { value }, visible(text))));
}

function boxes(fieldset, values) {
  fieldset.append(...values.map(([value, text, count]) => make('label', { class: 'chip' },
    make('input', { type: 'checkbox', value }), make('span', {}, text, ' ', make('span', { class: 'quiet' }, String(count))))));
}

function drawFilter() {
  const rows = report.claims.flatMap((claim) => Object.values(claim.targets));
  const present = Object.keys(verdicts).filter((verdict) => rows.some((on) => on.verdict === verdict));
  choices(byId('f-doc'), 'all', report.documents.map(({ id, title }) => [id, title]));
  choices(byId('f-suite'), 'all', [...new Set(report.claims.map(({ suite }) => suite))].sort().map((suite) => [suite, suite]));
  choices(byId('f-target'), 'both', targets.map((target) => [target, target]));
  boxes(byId('f-verdict'), present.map((verdict) =>
    [verdict, verdictWord(verdict), rows.filter((on) => on.verdict === verdict).length]));
  boxes(byId('f-evidence'), [...Object.entries(kinds).map(([kind, { title }]) => [kind, title]), ['none', 'none']].map(([kind, title]) =>
    [kind, title, rows.filter((on) => hasEvidence(on, [kind])).length]));
  byId('filter').addEventListener('input', readFilter);
  byId('filter').addEventListener('submit', (event) => event.preventDefault());
  byId('f-clear').addEventListener('click', () => {
    filter = { ...noFilter };
    showFilter();
    readFilter();
    byId('f-text').focus();
  });
  window.addEventListener('hashchange', followAddress);
}
