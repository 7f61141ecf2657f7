// The evidence that the page's tests look at, the pages made of it, and the browser that opens them.
import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const { CDNA_CTS_COMMAND, CDNA_CTS_BROWSER, CDNA_CTS_NODE_MODULES } = process.env;
const require = createRequire(join(CDNA_CTS_NODE_MODULES, 'x'));
const { chromium } = require('playwright-core');
export const axeSource = require('axe-core').source;

/** Standard output of the command under test; status 1 is a report's word that something is violated. */
export async function cdnaCts(...arguments_) {
  try {
    return (await promisify(execFile)(CDNA_CTS_COMMAND, arguments_, { maxBuffer: 1 << 28, timeout: 60000 })).stdout;
  } catch (error) {
    if (error.code === 1) return error.stdout;
    throw error;
  }
}

export const hostile = '</script><img src=x onerror="window.harmed=1"><b>bold</b> \u0001\u202e & "quoted" https://example.org/a?b=1&c=2';

const record = (claim, more) => JSON.stringify({
  schema: 1, claim, suite: 'lane_ownership', test: 'Mfma.Owns', target: 'gfx942', runner: 'emulator', check: 'run', outcome: 'passed',
  seed: 0, detail: '', metrics: {}, ...more });

const records = [
  record('CDNA-3.1', { origin: { opt: 'O3', device: 'a model' } }),
  record('CDNA-3.1', { runner: 'host', check: 'host', test: 'Layout.IsOneToOne' }),
  record('CDNA-3.2', { outcome: 'failed', detail: hostile, seed: "18446744073709551615", test: '<i>Test</i>.Name', origin: { opt: 'O1', device: hostile } }),
  record('CDNA-4.14', { suite: 'cross_lane', test: 'Permute.Collides', target: 'gfx950', observed: true, detail: 'what was seen' }),
  record('CDNA-3.4', { target: 'gfx950', outcome: 'failed', detail: 'once' }),
  record('CDNA-3.4', { target: 'gfx950' }),
  record('CDNA-2.1', { suite: 'target_support', runner: 'compiler', check: 'code', metrics: { registers: 4 }, facts: { opcode: 'v_mfma_f32_16x16x16_f16' } }),
  record('CDNA-3.1', { outcome: 'failed', fault: 'mfma_input_halves_swapped' }),
];

const times = record('CDNA-2.17', { suite: 'throughput', test: 'Rates.WideK', runner: 'gpu', check: 'time', origin: { device: 'AMD Instinct MI300X' },
  metrics: { narrow_us: 12.5, narrow_low_us: 12, narrow_high_us: 13, narrow_part_of_peak: 0.875, wide_us: 7, wide_low_us: 6.5, wide_high_us: 9 } });

const cell = (more) => ({ kind: 'matrix', first: 'XDL writes D', passes: 4, second: 'C: XDL, overlapping', isa: 5, isa_row: 'a row', needed: 5, given: 5,
  missed_at: [], verdict: 'equal', pairs: 1, instructions: ['v_mfma_x'], consumers: ['v_mfma_y'], ...more });
export const hazards = { schema: 1, llvm: '22.1.8', widest_spacing: 22, targets: {
  gfx942: { counts: { equal: 1, stricter: 1, looser: 1 }, cells: [cell({}), cell({ passes: 8, isa: 9, needed: 0, verdict: 'looser', remark: 'why' }),
    cell({ kind: 'software', first: 'SALU writes M0', second: hostile, passes: 0, isa: null, needed: 1, verdict: 'stricter' })] },
  gfx950: { counts: { equal: 2, stricter: 0, looser: 0 }, cells: [cell({ isa: 6, needed: 6 }), cell({ second: 'VALU reads', isa: null, needed: 0 })] } } };

/** A folder with a page of `lines` and its report.json; `more` are further options of the command. */
async function reportOf(folder, lines, more) {
  const evidence = join(folder, 'evidence');
  await mkdir(evidence, { recursive: true });
  await writeFile(join(evidence, 'lane_ownership.jsonl'), lines.map((line) => line + '\n').join(''));
  await writeFile(join(folder, 'environment.json'), JSON.stringify({ os: hostile, driver: 'none', device_compiler: 'clang 22', gpus: [] }));
  const common = ['report', '--evidence', evidence, '--environment', join(folder, 'environment.json')];
  await cdnaCts(...common, '--format', 'html', '-o', join(folder, 'index.html'), ...more);
  return { url: pathToFileURL(join(folder, 'index.html')).href, report: JSON.parse(await cdnaCts(...common, '--format', 'json')) };
}

/** {modelled, measured}: pages without and with a GPU's times, and `close` that removes everything. */
export async function makeWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'cdna-cts-page-'));
  await writeFile(join(folder, 'hazards.json'), JSON.stringify(hazards));
  // JSON.stringify has no whole numbers of 64 bits.
  const lines = records.map((line) => line.replace('"18446744073709551615"', '18446744073709551615'));
  const modelled = await reportOf(join(folder, 'modelled'), lines, ['--hazards', join(folder, 'hazards.json')]);
  const measured = await reportOf(join(folder, 'measured'), [...lines, times], []);
  const browser = await chromium.launch({ executablePath: CDNA_CTS_BROWSER, args: ['--no-sandbox', '--disable-gpu', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
  return { folder, modelled, measured, browser, async close() {
    await browser.close();
    await rm(folder, { recursive: true });
  } };
}

export const fileSize = async (url) => (await readFile(new URL(url))).length;
