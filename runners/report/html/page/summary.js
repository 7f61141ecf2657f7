// The first screen: what was run on what, and the counts.

function verdictWord(verdict) {
  return make('span', { class: 'verdict', 'data-verdict': verdict },
    make('span', { class: 'sign', 'aria-hidden': 'true' }, verdicts[verdict].sign), ' ', verdict);
}

/** A bar of the verdicts of one target, each part as wide as its count. */
function verdictBar(counts, total) {
  const parts = Object.entries(counts).filter(([, n]) => n > 0);
  return make('div', { class: 'stack', 'aria-hidden': 'true' },
    parts.map(([verdict, n]) => make('span', { 'data-verdict': verdict, style: `flex-grow:${n}` },
      n / total > 0.04 ? String(n) : '')));
}

function targetCard(target) {
  const of = report.summary[target];
  const words = Object.entries(of.verdicts).filter(([verdict, n]) => n > 0 || verdict === 'violated');
  const faults = of.faults;
  return make('article', { class: 'card', 'aria-labelledby': `card-${target}` },
    make('h3', { id: `card-${target}` }, target, make('span', { class: 'quiet' }, ` ${of.claims} claims`)),
    verdictBar(of.verdicts, of.claims),
    make('ul', { class: 'counts' }, words.map(([verdict, n]) =>
      make('li', { class: n === 0 ? 'zero' : null }, make('a', { href: filterLink({ target, verdict }) }, make('b', {}, String(n)), ' ', verdictWord(verdict))))),
    make('table', { class: 'kinds' },
      make('caption', {}, 'Claims with a result, by kind of evidence'),
      make('tbody', {}, Object.entries(kinds).map(([kind, { label }]) => make('tr', {},
        make('th', { scope: 'row' }, label),
        make('td', { class: 'number' }, String(of.evidence[kind])),
        make('td', { class: 'share', 'aria-hidden': 'true' },
          make('span', { style: `width:${Math.round((100 * of.evidence[kind]) / of.claims)}%` })))))),
    make('p', { class: 'small' }, `Planted faults: ${faults.detected} of ${faults.planted} detected`,
      faults.undetected.length ? `, ${faults.undetected.length} undetected` : '',
      faults.not_run.length ? `, ${faults.not_run.length} not run` : '',
      `. Test results: ${Object.entries(of.tests).filter(([, n]) => n > 0).map(([outcome, n]) => `${n} ${outcome}`).join(', ') || 'none'}.`));
}

function countsByDocument() {
  const shown = Object.keys(verdicts).filter((v) => v in (report.summary[targets[0]]?.verdicts ?? {}));
  const rows = report.documents.flatMap(({ id, title }) => targets.map((target, n) => {
    const own = report.claims.filter((claim) => claim.doc === id && claim.targets[target]);
    return make('tr', {},
      n === 0 ? make('th', { scope: 'rowgroup', rowspan: targets.length }, visible(title)) : null,
      make('th', { scope: 'row' }, target),
      make('td', { class: 'number' }, String(own.length)),
      shown.map((verdict) => {
        const count = own.filter((claim) => claim.targets[target].verdict === verdict).length;
        return make('td', { class: 'number' }, count === 0 ? '0' : make('a', { href: filterLink({ doc: id, target, verdict }),
          'aria-label': `${plural(count, 'claim')} ${verdict} on ${target}: show` }, String(count)));
      }));
  }));
  byId('documents').append(
    make('thead', {}, make('tr', {}, ['Document', 'Target', 'Claims'].map((t) => make('th', { scope: 'col' }, t)),
      shown.map((verdict) => make('th', { scope: 'col' }, verdictWord(verdict))))),
    make('tbody', {}, rows));
}

/** Tests that ended one way and the other in the same circumstances, with the seeds of both. */
function flakyTable() {
  if (report.flaky.length === 0) return;
  const seeds = (list) => make('td', { class: 'number' }, list.length ? list.join(' ') : '–');
  byId('flaky').append(make('h3', {}, 'Flaky tests'),
    make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Flaky tests' }, make('table', {},
      make('thead', {}, make('tr', {}, ['Test', 'Target', 'Kind', 'Device', 'Outcomes', 'Seeds of failures', 'Seeds of passes'].map((t) => make('th', { scope: 'col' }, t)))),
      make('tbody', {}, report.flaky.map((test) => make('tr', {}, make('th', { scope: 'row' }, visible(test.test)),
        [test.target, kinds[test.column].title, test.device || '–',
          Object.entries(test.outcomes).map(([outcome, n]) => `${n} ${outcome}`).join(', ')].map((text) => make('td', {}, visible(text))),
        seeds(test.failed_seeds), seeds(test.passed_seeds)))))));
}

const environmentNames = {
  os: 'System', kernel: 'Kernel', cpu: 'CPU', device_compiler: 'Device compiler', llvm_objdump: 'Disassembler',
  host_compiler: 'Host compiler', commit: 'Commit', dirty: 'Changed sources', hip_runtime: 'HIP runtime',
  driver: 'Driver', run_wrapper: 'Run wrapper', gpus: 'GPUs',
};

/** A value of the environment as text: an object as its fields, a list as one a line. */
function environmentText(value) {
  if (Array.isArray(value)) return value.length ? value.map(environmentText).join('\n') : 'none';
  if (value !== null && typeof value === 'object') return Object.entries(value).map(([k, v]) => `${k}: ${environmentText(v)}`).join(', ');
  return visible(value);
}

function environmentList() {
  byId('environment-list').append(make('dl', { class: 'facts' },
    Object.entries(report.environment).flatMap(([key, value]) =>
      [make('dt', {}, environmentNames[key] ?? visible(key)), make('dd', {}, environmentText(value))]),
    make('dt', {}, 'Manifests'), make('dd', {}, make('code', {}, visible(report.manifests)))));
  if (report.problems.length)
    byId('problem-list').append(make('h3', {}, 'Problems in the evidence'),
      make('ul', {}, report.problems.map((problem) => make('li', {}, visible(problem)))));
}

/** By fault and target: the claims whose tests saw it, and those whose tests did not. */
function faultTable() {
  const rows = new Map();
  for (const claim of report.claims)
    for (const [target, { faults }] of Object.entries(claim.targets))
      for (const fault of faults.names) {
        const key = `${fault} ${target}`;
        if (!rows.has(key)) rows.set(key, { fault, target, saw: [], missed: [], notRun: [] });
        const row = rows.get(key);
        (faults.undetected.includes(fault) ? row.missed : faults.not_run.includes(fault) ? row.notRun : row.saw).push(claim.id);
      }
  const sorted = [...rows.values()].sort((a, b) => a.fault.localeCompare(b.fault) || a.target.localeCompare(b.target));
  const bad = sorted.filter((row) => row.missed.length).length;
  byId('fault-list').append(
    make('p', {}, 'Each is one wrong behaviour on purpose; a claim that it names has to have a test that fails under it. ',
      bad ? `${plural(bad, 'fault')} went unseen by a claim.` : ''),
    make('details', {}, make('summary', {}, `${plural(sorted.length, 'fault')}, counted by target`),
      make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Planted faults' },
        make('table', {}, make('thead', {}, make('tr', {}, ['Fault', 'Target', 'Seen by the tests of', 'Not seen by', 'Not run']
          .map((t) => make('th', { scope: 'col' }, t)))),
        make('tbody', {}, sorted.map((row) => make('tr', {},
          make('th', { scope: 'row' }, make('code', {}, visible(row.fault)),
            make('div', { class: 'small' }, visible(data.manifests.faults[row.fault]?.what ?? ''))),
          make('td', {}, row.target),
          [row.saw, row.missed, row.notRun].map((claims) => make('td', {}, claims.length ? claims.flatMap((id, i) =>
            [i ? ', ' : '', make('a', { href: `#${id}` }, id)]) : '–')))))))));
}

function drawSummary() {
  const environment = report.environment;
  const say = (key) => visible(environment[key] ?? 'unknown');
  byId('where').append(
    `${report.claims.length} claims of ${plural(report.documents.length, 'document')}. Device code by ${say('device_compiler')}, HIP runtime: ${say('hip_runtime')}, driver: ${say('driver')}. Report of ${visible(report.generated) || 'an unknown time'}.`);
  const byGpu = targets.filter((target) => report.summary[target].evidence.gpu > 0);
  if (byGpu.length === 0) {
    byId('no-gpu').hidden = false;
    byId('no-gpu').append(make('strong', {}, 'No result on this page was made by a GPU.'),
      ' What a model or a compiler showed stands in its own column and is not a GPU’s. Timing stays Unmeasured.');
  }
  byId('targets').append(...targets.map(targetCard));
  countsByDocument();
  flakyTable();
  byId('legend-verdicts').append(...Object.entries(verdicts).flatMap(([verdict, { says }]) =>
    [make('dt', {}, verdictWord(verdict)), make('dd', {}, says)]));
  byId('legend-evidence').append(...Object.values(kinds).flatMap(({ title, label, says }) =>
    [make('dt', {}, `${title}: ${label}`), make('dd', {}, says)]));
  environmentList();
  faultTable();
}
