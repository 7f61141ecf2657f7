// What the page shows, unpacked from the JSON inside it.

const data = JSON.parse(byId('data').textContent);
const { report, pictures, hazards } = data;
const targets = Object.keys(report.summary);

/** The words of the page, each with its sign: nothing is told by colour alone. */
const verdicts = {
  holds: { sign: '●', says: 'every check that the claim lists was executed on that target and passed' },
  violated: { sign: '▲', says: 'at least one test failed; it is named, and what it saw' },
  flaky: { sign: '◆', says: 'a test both passed and failed under the same circumstances' },
  observed: { sign: '○', says: 'the document leaves it open; what was seen is recorded' },
  'not executed': { sign: '–', says: 'anything less, with the reason' },
};
const kinds = {
  host: { title: 'Host', label: 'CPU checked', says: 'arithmetic or enumeration on the host' },
  compiler: { title: 'Compiler', label: 'Compiler checked', says: 'a real compiler accepted or refused it, or its output was inspected' },
  model: { title: 'Model', label: 'Model executed', says: 'the compiled machine code ran on an emulator; no GPU' },
  gpu: { title: 'GPU', label: 'GPU tested', says: 'a GPU ran it; the record names the device' },
};

const settled = (judgement) => judgement.verdict !== 'not executed';

/** The tests of a claim on a target, each with its origin and in how many runs it ended the same way. */
function testsOf(on) {
  const runs = new Map();
  for (const n of on.tests) runs.set(n, (runs.get(n) ?? 0) + 1);
  return [...runs].map(([n, times]) => {
    const test = report.tests[n];
    return { ...test, times, origin: test.origin === undefined ? {} : report.origins[test.origin] };
  });
}

/** The numbers of a column: a list, or a nest of loops {base, loops: [[count, step], …]}, the innermost last. */
function unrolled(column) {
  if (Array.isArray(column)) return column;
  return column.loops.reduce(
    (bases, [count, step]) => bases.flatMap((base) => Array.from({ length: count }, (_, i) => base + i * step)),
    [column.base]);
}

/** A picture as `cdna-cts layout --format json` has it: grids with elements, each a list of numbers by field. */
function pictureOf(key) {
  const picture = structuredClone(pictures[key]);
  for (const grid of Object.values(picture.grids)) {
    const columns = grid.columns.map(unrolled);
    grid.elements = Array.from({ length: grid.elements }, (_, n) => columns.map((column) => column[n]));
    delete grid.columns;
  }
  return picture;
}
