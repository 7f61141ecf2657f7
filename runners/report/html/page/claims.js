// The table of claims: a row a target; a claim opens to everything that is known of it.

function judgementCell(judgement, kind) {
  const title = kinds[kind].title;
  return make('td', { role: 'cell', class: 'kind', 'data-kind': title },
    settled(judgement) ? verdictWord(judgement.verdict)
      : make('span', { class: 'nothing', title: visible(judgement.reason) }, '–', make('span', { class: 'unseen' }, ' none')));
}

/** The body of one claim: a row a target, and one that opens. */
function claimBody(claim) {
  const names = Object.keys(claim.targets);
  const panel = make('tr', { role: 'row', class: 'panel', hidden: true },
    make('td', { role: 'cell', colspan: '8' }, make('div', { id: `about-${claim.id}`, class: 'about', role: 'region', 'aria-label': `About ${claim.id}` })));
  const button = make('button', { type: 'button', class: 'open', 'aria-expanded': 'false', 'aria-controls': `about-${claim.id}` },
    make('span', { class: 'arrow', 'aria-hidden': 'true' }), claim.id);
  button.addEventListener('click', () => setOpen(claim.id, button.getAttribute('aria-expanded') !== 'true'));
  return make('tbody', { id: claim.id, role: 'rowgroup', class: 'claim' },
    names.map((target, n) => {
      const on = claim.targets[target];
      return make('tr', { role: 'row', 'data-target': target },
        n === 0 ? make('th', { role: 'rowheader', scope: 'rowgroup', rowspan: names.length, class: 'id' }, button) : null,
        make('td', { role: 'cell', class: 'target' }, target),
        make('td', { role: 'cell', class: 'judgement' }, verdictWord(on.verdict)),
        Object.keys(kinds).map((kind) => judgementCell(on.evidence[kind], kind)),
        n === 0 ? make('td', { role: 'cell', class: 'says', rowspan: names.length }, visible(claim.claim)) : null);
    }), panel);
}

/** Opens or closes a claim; what it holds is made when it is opened first. */
function setOpen(id, open) {
  const body = byId(id);
  const about = byId(`about-${id}`);
  if (open && !about.hasChildNodes()) about.append(...aboutClaim(report.claims.find((claim) => claim.id === id)));
  body.querySelector('.open').setAttribute('aria-expanded', String(open));
  body.querySelector('.panel').hidden = !open;
  body.classList.toggle('is-open', open);
}

function aboutClaim(claim) {
  const more = data.manifests.claims[claim.id] ?? {};
  const facts = [
    ['The document’s label', Object.entries(claim.label).map(([axis, word]) => `${axis}: ${word}`).join(', ') || 'none'],
    ['Where', `${report.documents.find((d) => d.id === claim.doc)?.title ?? claim.doc}, section ${claim.section}`],
    ['Suite', claim.suite],
    ['Checks', claim.check.join(', ') + (more.needs ? `; needs a ${more.needs.toUpperCase()}` : '')],
    ['Not seen by any check', claim.untested],
    ['Trap', more.trap],
    ['Note', more.note],
    ['Decides where sources disagree', more.authority?.join(', ')],
  ];
  return [
    make('p', { class: 'statement' }, visible(claim.claim)),
    make('dl', { class: 'facts' }, facts.filter(([, text]) => text).flatMap(([name, text]) =>
      [make('dt', {}, name), make('dd', {}, visible(text))]),
    more.see ? [make('dt', {}, 'See also'), make('dd', {}, more.see.flatMap((id, i) => [i ? ', ' : '', make('a', { href: `#${id}` }, id)]))] : null,
    make('dt', {}, 'Link'), make('dd', {}, make('a', { href: `#${claim.id}` }, `#${claim.id}`))),
    ...picturesOfClaim(more.pictures ?? []),
    ...Object.entries(claim.targets).map(([target, on]) => aboutTarget(claim, target, on)),
  ];
}

function aboutTarget(claim, target, on) {
  const tests = testsOf(on);
  const id = `${claim.id}-${target}`;
  return make('section', { class: 'target-part', 'aria-labelledby': id },
    make('h3', { id }, target, ' ', verdictWord(on.verdict)),
    on.reason ? make('p', { class: 'reason' }, linked(on.reason)) : null,
    ...(on.waivers ?? []).map((waiver) => make('p', {},
      linked(`Waiver ${waiver.id}, until ${waiver.expires}: ${waiver.reason} (${waiver.owner}; ${waiver.url}). The verdict is what it is.`))),
    make('p', { class: 'small' }, `Strongest evidence: ${visible(on.validation)}${on.qualifier ? `; ${visible(on.qualifier)}` : ''}. `,
      Object.entries(on.checks).map(([check, judgement]) => `${check}: ${judgement.verdict}${judgement.reason && !settled(judgement) ? ` (${visible(judgement.reason)})` : ''}`).join('; '), '.'),
    tests.length ? testTable(tests, `Tests of ${claim.id} on ${target}`) : make('p', {}, 'No test left a record.'),
    faultsOf(on.faults),
    originsOf(tests));
}

const kindOfTest = (test) => ({ host: 'host', compiler: 'compiler', emulator: 'model' })[test.runner]
  ?? (test.origin.device && !test.origin.emulates ? 'gpu' : 'model');

/** Names and values of `object` as `name value` lines, or a dash. */
function pairs(object) {
  const entries = Object.entries(object ?? {});
  if (entries.length === 0) return '–';
  const list = make('ul', { class: 'pairs' }, entries.map(([name, value]) =>
    make('li', {}, make('span', {}, visible(name)), ' ', make('b', {}, typeof value === 'number' ? number(value) : visible(value)))));
  return entries.length <= 4 ? list
    : make('details', {}, make('summary', {}, plural(entries.length, 'value')), list);
}

const number = (value) => (Number.isInteger(value) ? String(value) : value.toPrecision(4));

/** The columns of a table of tests; one in which no test has anything is left out. */
const testColumns = [
  ['Outcome', (test) => make('td', {}, make('span', { class: 'outcome-word', 'data-outcome': test.outcome }, test.outcome), test.observed ? ' (observed)' : '')],
  ['Test', (test) => make('th', { scope: 'row' }, visible(test.test).split(/(?<=[._])/).flatMap((part) => [part, make('wbr')]))],
  ['Runs', (test) => make('td', { class: 'number' }, String(test.times)), (test) => test.times > 1],
  ['Check', (test) => make('td', {}, test.check)],
  ['Kind', (test) => make('td', {}, kinds[kindOfTest(test)].title)],
  ['Code', (test) => make('td', {}, visible(test.origin.opt ?? '–')), (test) => test.origin.opt],
  ['Seed', (test) => make('td', { class: 'number' }, test.seed === '0' ? '–' : test.seed), (test) => test.seed !== '0'],
  ['What it saw', (test) => make('td', { class: 'detail' }, test.detail ? linked(test.detail) : '–'), (test) => test.detail],
  ['Metrics and facts', (test) => make('td', {}, pairs({ ...test.metrics, ...test.facts })),
    (test) => Object.keys({ ...test.metrics, ...test.facts }).length],
];

function testTable(tests, title) {
  const columns = testColumns.filter(([, , has]) => !has || tests.some(has));
  return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title },
    make('table', { class: 'tests' },
      make('caption', { class: 'unseen' }, title),
      make('thead', {}, make('tr', {}, columns.map(([name]) => make('th', { scope: 'col' }, name)))),
      make('tbody', {}, tests.map((test) => make('tr', {}, columns.map(([, cell]) => cell(test)))))));
}

function faultsOf(faults) {
  if (faults.names.length === 0) return null;
  const state = (name) => (faults.undetected.includes(name) ? 'undetected' : faults.not_run.includes(name) ? 'not run' : 'detected');
  return make('details', { class: 'faults' },
    make('summary', {}, `Planted faults: ${faults.detected} of ${faults.planted} detected`),
    make('ul', {}, faults.names.map((name) => make('li', {},
      make('span', { class: 'outcome-word', 'data-outcome': state(name) }, state(name)), ' ', make('code', {}, visible(name)), ' ',
      visible(data.manifests.faults[name]?.what ?? '')))));
}

/** What the tests ran on: each origin once. */
function originsOf(tests) {
  const seen = [...new Map(tests.map(({ origin }) => [JSON.stringify(origin), origin])).values()]
    .filter((origin) => Object.keys(origin).length);
  if (seen.length === 0) return null;
  return make('details', { class: 'origins' }, make('summary', {}, 'What they ran on'),
    seen.map((origin) => make('dl', { class: 'facts tight' }, Object.entries(origin).flatMap(([key, value]) =>
      [make('dt', {}, visible(key)), make('dd', {}, visible(value))]))),
    make('p', { class: 'small' }, make('a', { href: '#environment' }, 'Environment of the whole report')));
}

function drawClaims() {
  byId('claim-table').append(...report.claims.map(claimBody));
}
