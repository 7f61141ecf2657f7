// The report's page in a browser: what it shows is what the command says, whatever is in the evidence; it can be used by
// keyboard and read by a screen reader, and it prints.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeSource, cdnaCts, fileSize, hazards, hostile, makeWorld } from './world.mjs';

let world;
before(async () => { world = await makeWorld(); });
after(async () => { await world?.close(); });

/** Opens a page and runs `look` on it; whatever it writes to the console or asks of a network is an error. */
async function opened(url, look, options = {}) {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const said = [], asked = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.stack));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(url);
  await look(page);
  await context.close();
  assert.deepEqual(said, [], 'the page wrote to the console');
  assert.deepEqual(asked.filter((address) => address !== url.split('#')[0]), [], 'the page asked for more than itself');
}

/** Ids and targets of the rows that are shown. */
const shownRows = (page) => page.evaluate(() => [...document.querySelectorAll('#claim-table tr[data-target]')]
  .filter((row) => !row.hidden && !row.parentElement.hidden).map((row) => `${row.parentElement.id} ${row.dataset.target}`));

/** The rows of report.json for which `keep` holds. */
const rowsOf = (report, keep) => report.claims.flatMap((claim) => Object.entries(claim.targets)
  .filter(([target, on]) => keep(claim, target, on)).map(([target]) => `${claim.id} ${target}`));

test('it opens, quietly and from one file', async () => {
  await opened(world.modelled.url, async (page) => {
    const ms = await page.evaluate(() => performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd);
    const filtered = await page.evaluate(() => {
      const began = performance.now();
      document.querySelector('#f-verdict input').click();
      document.body.getBoundingClientRect();
      return performance.now() - began;
    });
    console.log(`# ${await fileSize(world.modelled.url)} bytes, ${ms.toFixed(0)} ms to DOMContentLoaded, ${filtered.toFixed(0)} ms to the first filter`);
    assert.equal(await page.locator('h1').innerText(), 'cdna-cts conformance report');
    assert.match(await page.locator('#no-gpu').innerText(), /No result on this page was made by a GPU/);
  });
});

test('the table has each verdict and each kind of evidence of report.json in its own column', async () => {
  await opened(world.modelled.url, async (page) => {
    const cells = await page.evaluate(() => [...document.querySelectorAll('#claim-table tr[data-target]')].map((row) =>
      [row.parentElement.id, ...[...row.querySelectorAll('td:not(.says)')].map((cell) => cell.textContent.replace(/[^a-z0-9 ]/g, '').trim())]));
    const expected = world.modelled.report.claims.flatMap((claim) => Object.entries(claim.targets).map(([target, on]) =>
      [claim.id, target, on.verdict, ...['host', 'compiler', 'model', 'gpu'].map((kind) =>
        on.evidence[kind].verdict === 'not executed' ? 'none' : on.evidence[kind].verdict)]));
    assert.deepEqual(cells, expected);
  });
});

test('filters keep what they name, in the address too', async () => {
  const { url, report } = world.modelled;
  const evidence = (on, kind) => on.evidence[kind].verdict !== 'not executed';
  await opened(url, async (page) => {
    const expect = async (what, keep) => {
      const rows = rowsOf(report, keep);
      assert.ok(rows.length > 0, `${what}: the test's evidence has none`);
      assert.deepEqual(await shownRows(page), rows, what);
      assert.equal(await page.locator('#count').innerText(),
        `${new Set(rows.map((row) => row.split(' ')[0])).size} of ${report.claims.length} claims, ${rows.length} of ${rowsOf(report, () => true).length} results`, what);
    };
    await expect('nothing', () => true);
    await page.selectOption('#f-suite', 'lane_ownership');
    await expect('suite', (claim) => claim.suite === 'lane_ownership');
    await page.selectOption('#f-target', 'gfx950');
    await expect('suite and target', (claim, target) => claim.suite === 'lane_ownership' && target === 'gfx950');
    await page.click('#f-clear');
    for (const verdict of ['violated', 'flaky', 'observed']) {
      await page.check(`#f-verdict input[value="${verdict}"]`, { force: true });
      await expect(verdict, (claim, target, on) => on.verdict === verdict);
      await page.uncheck(`#f-verdict input[value="${verdict}"]`, { force: true });
    }
    for (const kind of ['host', 'compiler', 'model']) {
      await page.check(`#f-evidence input[value="${kind}"]`, { force: true });
      await expect(kind, (claim, target, on) => evidence(on, kind));
      await page.uncheck(`#f-evidence input[value="${kind}"]`, { force: true });
    }
    await page.fill('#f-text', 'onerror=');
    await expect('text of a record', (claim) => claim.id === 'CDNA-3.2');
    const address = await page.evaluate(() => location.hash);
    assert.equal(address, '#text=onerror%3D');
    await page.fill('#f-text', 'no such words');
    assert.ok(await page.locator('#none-found').isVisible());
  });
  await opened(`${url}#target=gfx950&verdict=flaky&verdict=observed`, async (page) => {
    assert.deepEqual(await shownRows(page), rowsOf(report, (claim, target, on) => target === 'gfx950' && ['flaky', 'observed'].includes(on.verdict)));
    assert.ok(await page.locator('#f-verdict input[value="flaky"]').isChecked());
  });
});

test('a link opens its claim, and there is everything that is known of it', async () => {
  await opened(`${world.modelled.url}#CDNA-3.1`, async (page) => {
    const about = await page.locator('#about-CDNA-3\\.1').innerText();
    for (const text of ['A[t,4q+e]', 'qualifier: Derived, validation: CPU checked', 'A transposed; e and q exchanged', 'Layout.IsOneToOne',
      'Planted faults: 1 of', 'What they ran on', 'cdna-cts layout v_mfma_f32_16x16x16_f16 --operand a'])
      assert.ok(about.includes(text), `'${text}' in:\n${about}`);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent.slice(0, 20)), 'CDNA-3.1', 'the keyboard goes on from there');
  });
});

test('hostile text stays text', async () => {
  await opened(`${world.modelled.url}#CDNA-3.2`, async (page) => {
    const about = page.locator('#about-CDNA-3\\.2');
    await page.evaluate(() => { for (const details of document.querySelectorAll('details')) details.open = true; });
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    assert.equal(await about.locator('td.detail').innerText(), hostile.replace('\u0001', '\u2401').replace('\u202e', '\ufffd'));
    assert.equal(await about.locator('td.detail a').getAttribute('href'), 'https://example.org/a?b=1&c=2');
    assert.equal(await about.locator('.tests tbody th').innerText(), '<i>Test</i>.Name');
    assert.ok((await about.innerText()).includes('18446744073709551615'));
  });
});

test('every picture is drawn from what cdna-cts layout prints', async () => {
  await opened(world.modelled.url, async (page) => {
    const keys = await page.evaluate(() => Object.keys(pictures));
    assert.ok(keys.length > 60, `${keys.length} pictures`);
    const named = await page.evaluate(() => Object.entries(data.manifests.claims).flatMap(([id, more]) => (more.pictures ?? []).map((key) => [id, key])));
    assert.ok(named.length > 40, `${named.length} pictures of claims`);
    for (const [id, key] of named) assert.ok(keys.includes(key.split(' --operand ')[0]), `${id}: '${key}' is not on the page`);
    for (const key of keys) {
      const printed = JSON.parse(await cdnaCts('layout', ...key.split(' '), '--format', 'json'));
      assert.deepEqual(await page.evaluate((k) => pictureOf(k), key), printed, key);
      // What is drawn: of each grid, block by block, the lane of each cell that a rectangle covers.
      const drawn = await page.evaluate((k) => {
        const picture = drawPicture(k);
        return Object.fromEntries([...picture.querySelectorAll('figure.grid')].map((figure) => [figure.dataset.grid,
          [...figure.querySelectorAll('svg')].map((svg) => {
            const value = (element, name) => Number(element.getAttribute(name));
            const cursor = svg.querySelector('.cursor'), w = value(cursor, 'width'), h = value(cursor, 'height');
            const origin = svg.querySelector('.nobody'), left = value(origin, 'x'), top = value(origin, 'y');
            return [...svg.querySelectorAll('.run')].flatMap((run) => {
              const cells = [];
              for (let y = value(run, 'y'); y < value(run, 'y') + value(run, 'height'); y += h)
                for (let x = value(run, 'x'); x < value(run, 'x') + value(run, 'width'); x += w)
                  cells.push([(y - top) / h, (x - left) / w, value(run, 'data-lane')].join(' '));
              return cells;
            }).sort();
          })]));
      }, key);
      for (const [name, maps] of Object.entries(drawn)) {
        const blocks = [...new Set(printed.grids[name].elements.map(([block]) => block))];
        const first = new Map(); // of several lanes that read one place the first is drawn
        for (const [block, row, col, lane] of printed.grids[name].elements)
          if (!first.has(`${block} ${row} ${col}`)) first.set(`${block} ${row} ${col}`, lane);
        const expected = blocks.map((block) => [...first].filter(([place]) => place.startsWith(`${block} `))
          .map(([place, lane]) => `${place.slice(place.indexOf(' ') + 1)} ${lane}`).sort());
        assert.deepEqual(maps, expected, `${key}, ${name}`);
      }
    }
  });
});

test('heat maps have the numbers of cdna-cts hazards', async () => {
  await opened(world.modelled.url, async (page) => {
    const table = await page.evaluate(() => [...document.querySelectorAll('.hazard')].map((t) => [t.caption.textContent,
      [...t.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((c) => c.textContent.trim()))]));
    assert.deepEqual(table, [
      ['XDL writes D', [['C: XDL, overlapping', '5', '▼looser 9 → 0', '6', 'no such pair'], ['VALU reads', 'no such pair', 'no such pair', '0', 'no such pair']]],
      ['Other instructions', [[`SALU writes M0, then ${hostile.replace('\u0001', '\u2401').replace('\u202e', '\ufffd')}`, '△stricter – → 1', 'no such pair']]]]);
    const title = await page.locator('.heat[data-verdict="looser"]').getAttribute('title');
    assert.equal(title, 'gfx942: XDL writes D, 8 passes; C: XDL, overlapping\nISA 9 (a row); compiler 0: looser\nasked of v_mfma_x; v_mfma_y\nwhy');
    await page.check('#only-differences', { force: true });
    assert.equal(await page.locator('.hazard tbody tr:visible').count(), 2);
    assert.equal(hazards.targets.gfx942.cells.length, 3);
  });
});

test('times are shown where a GPU measured them, and nowhere else', async () => {
  await opened(world.modelled.url, async (page) => {
    assert.match(await page.locator('#throughput-plots').innerText(), /^Unmeasured, needs a GPU\./);
    assert.match(await page.locator('#hazard-tables').innerText(), /no GPU has shown any of these numbers/);
  });
  await opened(world.measured.url, async (page) => {
    const rows = await page.evaluate(() => [...document.querySelectorAll('.times tbody tr')].map((row) => [...row.cells].slice(0, 4).map((c) => c.textContent)));
    assert.deepEqual(rows, [['narrow', '12.50', '12 – 13', '87.5 %'], ['wide', '7', '6.500 – 9', '–']]);
    assert.match(await page.locator('#hazard-tables').innerText(), /No table of hazards was given/);
    assert.ok(await page.locator('#no-gpu').isHidden());
  });
});

test('a keyboard reaches everything', async () => {
  await opened(world.modelled.url, async (page) => {
    const focused = () => page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      return { text: document.activeElement.textContent.trim(), id: document.activeElement.id, outlined: outlineStyle !== 'none' && outlineWidth !== '0px' };
    });
    await page.keyboard.press('Tab');
    assert.deepEqual(await focused(), { text: 'Skip to the claims', id: '', outlined: true });
    const walked = [];
    while ((await focused()).text !== 'CDNA-1.1' && walked.length < 80) {
      await page.keyboard.press('Tab');
      const now = await focused();
      // A check box is outlined by the chip around it.
      const chip = await page.evaluate(() => document.activeElement.matches('.chip input') && getComputedStyle(document.activeElement.nextElementSibling).outlineStyle !== 'none');
      assert.ok(now.outlined || chip, `no outline on '${now.text}' #${now.id}`);
      walked.push(now.id || now.text);
    }
    for (const stop of ['Summary', 'Environment', 'theme', 'f-text', 'f-doc', 'f-suite', 'f-target', 'CDNA-1.1']) assert.ok(walked.includes(stop), `${stop} in ${walked}`);
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'true');
    assert.ok(await page.locator('#about-CDNA-1\\.1').isVisible());
    await page.keyboard.press('Enter');
    assert.ok(await page.locator('#about-CDNA-1\\.1').isHidden());
  });
  await opened(`${world.modelled.url}#CDNA-3.1`, async (page) => {
    const about = page.locator('#about-CDNA-3\\.1');
    await about.locator('.map').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    assert.equal(await about.locator('output.story').innerText(), 'A[2][5]: lane 18, item 1, v0.hi, VGPR 0, bits 31:16 (high half)');
    assert.equal(await about.locator('output.story').getAttribute('aria-live'), 'polite');
    assert.deepEqual(await about.locator('.run.same').evaluateAll((runs) => runs.map((run) => run.dataset.lane)), ['18']);
    await about.locator('.map').hover({ position: { x: 40, y: 25 } });
    assert.match(await about.locator('output.story').innerText(), /^A\[0\]\[0\]: lane 0, item 0, v0\.lo/);
    await about.locator('summary', { hasText: 'A as a table' }).click();
    assert.equal(await about.locator('.lanes tbody tr').nth(18).innerText(), '18\tA[2][4]\tA[2][5]\tA[2][6]\tA[2][7]');
  });
});

test('it prints: what is violated is open, what only a screen needs is gone', async () => {
  await opened(world.modelled.url, async (page) => {
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.ok(pdf.length > 50000, `${pdf.length} bytes`);
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.locator('#about-CDNA-3\\.2').isVisible());
    assert.ok(await page.locator('#about-CDNA-3\\.4').isVisible());
    assert.ok(await page.locator('nav').isHidden());
  });
});

for (const colorScheme of ['light', 'dark'])
  for (const [device, viewport] of [['desktop', { width: 1280, height: 900 }], ['phone', { width: 390, height: 844 }]])
    test(`axe finds nothing serious, ${colorScheme}, ${device}`, async () => {
      await opened(`${world.modelled.url}#CDNA-3.2`, async (page) => {
        await page.selectOption('#layout-choice', 'v_mfma_f32_16x16x16_f16');
        await page.evaluate(() => { for (const details of document.querySelectorAll('details')) details.open = true; });
        await page.evaluate(axeSource);
        const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
        assert.deepEqual(violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
          .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html).join(' ')}`), []);
        console.log(`# lesser findings: ${violations.map(({ id, impact }) => `${id} (${impact})`).join(', ') || 'none'}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width, 'the page is wider than the screen');
      }, { colorScheme, viewport });
    });

test('the theme can be chosen', async () => {
  await opened(world.modelled.url, async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.click('#theme');
    assert.equal(await paper(), light);
    await page.click('#theme');
    assert.notEqual(await paper(), light);
    assert.equal(await page.locator('#theme').innerText(), 'Theme: dark');
  }, { colorScheme: 'light' });
});
