// Times that a GPU measured: for each test the median and the range of its samples, on one scale.

/** {name: {median, low, high, part}} of metrics that come as <name>_us, <name>_low_us, <name>_high_us. */
function timesOf(metrics) {
  const names = Object.keys(metrics).filter((key) => key.endsWith('_low_us')).map((key) => key.slice(0, -'_low_us'.length));
  return names.map((name) => ({ name, median: metrics[`${name}_us`], low: metrics[`${name}_low_us`], high: metrics[`${name}_high_us`],
    part: metrics[`${name}_part_of_peak`] })).filter(({ median }) => median > 0);
}

function timePlot(test, target) {
  const times = timesOf(test.metrics);
  const low = Math.log(Math.min(...times.map((t) => t.low)) * 0.9), high = Math.log(Math.max(...times.map((t) => t.high)) * 1.1);
  const x = (value) => (100 * (Math.log(value) - low)) / (high - low);
  return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Times of ${test.test} on ${target}` },
    make('table', { class: 'times' },
      make('caption', {}, `${visible(test.test)} on ${target}${test.origin.opt ? `, ${test.origin.opt}` : ''}: ${visible(test.origin.device)}`),
      make('thead', {}, make('tr', {}, ['What', 'Median, µs', 'Range, µs', 'Part of peak', 'Logarithmic scale'].map((t) => make('th', { scope: 'col' }, t)))),
      make('tbody', {}, times.map((t) => make('tr', {}, make('th', { scope: 'row' }, visible(t.name)),
        make('td', { class: 'number' }, number(t.median)), make('td', { class: 'number' }, `${number(t.low)} – ${number(t.high)}`),
        make('td', { class: 'number' }, t.part === undefined ? '–' : `${(100 * t.part).toFixed(1)} %`),
        make('td', { class: 'plot', 'aria-hidden': 'true' },
          make('span', { class: 'range', style: `left:${x(t.low)}%;width:${x(t.high) - x(t.low)}%` }),
          make('span', { class: 'median', style: `left:${x(t.median)}%` })))))));
}

function drawThroughput() {
  const seen = new Map();
  for (const claim of report.claims)
    for (const [target, on] of Object.entries(claim.targets))
      for (const test of testsOf(on))
        if (test.check === 'time' && kindOfTest(test) === 'gpu' && timesOf(test.metrics).length)
          seen.set(`${target} ${test.test} ${test.origin.opt} ${test.origin.device}`, { test, target });
  byId('throughput-plots').append(...(seen.size
    ? [...seen.values()].map(({ test, target }) => timePlot(test, target))
    : [make('p', { class: 'notice' }, make('strong', {}, 'Unmeasured, needs a GPU.'),
      ' A time counts only from a GPU; models and compilers give none.')]));
}
