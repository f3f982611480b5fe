import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellOperation } from '../../model/cell/operations.ts';
import { hasBrowser } from '../support/browser.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { goTo, put, shows } from './sheet-page.ts';

/** Whatever is asked here was asked because of a text. */
const asked: string[] = [];
const trap = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});

describe.skipIf(!hasBrowser)('texts that are markup, in a spreadsheet', () => {
  let world: EditorWorld;
  let away: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    away = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
    world = await EditorWorld.open();
  });
  afterAll(async () => {
    await world?.close();
    trap.close();
  });

  const markup = (place: string) =>
    `<img src="${away}/${place}" onerror="top.ran=self.ran='${place}'"><script>top.ran=1</script>"'\`{{7*7}}`;
  const ran = ({ frame }: EditorPage) =>
    frame.evaluate(() => (globalThis as unknown as { ran?: unknown }).ran);

  /** What somebody's own program puts into every place that has a text. */
  function hostile(sheet: string): CellOperation[] {
    const areas = [[1, 0, 1, 0]] as const;
    const put = (kind: string, item: object, id = `mallory.${kind}`) =>
      ({ op: 'put', sheet: kind === 'name' ? null : sheet, kind, id, item }) as unknown as CellOperation;
    const spot = { from: [4, 4, 0, 0], to: [14, 9, 0, 0], follows: 'both' };
    return [
      {
        op: 'set',
        sheet,
        cells: [
          [1, 0, { v: markup('cell') }],
          [2, 0, { f: `"${'<b onclick=x>'}"&A1` }],
        ],
      },
      put('comment', { cell: [1, 0], author: 'Name of mallory', date: null, text: markup('comment') }),
      put('link', { area: [2, 1, 2, 1], address: 'javascript:top.ran=1', tooltip: markup('tip') }),
      put('validation', {
        ...{ areas, type: 'list', formulas: ['"<img src=x onerror=top.ran=1>,two"'], showsPrompt: true },
        ...{ promptTitle: markup('prompt'), prompt: markup('prompt') },
        ...{ showsError: true, errorTitle: markup('error'), error: markup('error') },
      }),
      put('condition', {
        areas,
        type: 'containsText',
        operator: 'containsText',
        priority: 1,
        formulas: ['1'],
        text: markup('rule'),
      }),
      put('table', {
        ...{ area: [20, 0, 22, 0], name: 'Trap', hasHeader: true, style: '<i>style' },
        columns: [{ name: markup('column') }],
      }),
      put('name', { name: 'Rate', formula: '1', comment: markup('name') }),
      put('openRange', { areas: [[30, 0, 31, 0]], name: markup('range') }),
      put('drawing', {
        ...{ kind: 'chart', order: 1, name: markup('chart'), description: markup('chart'), anchor: spot },
        chart: {
          ...{ type: 'column', title: markup('title') },
          series: [{ name: 'Sheet1!$A$2', values: 'Sheet1!$B$2:$B$3', categories: 'Sheet1!$A$2:$A$3' }],
          legend: 'right',
          categoryTitle: markup('axis'),
          valueTitle: markup('axis'),
        },
      }),
      put(
        'drawing',
        { kind: 'picture', order: 2, name: markup('picture'), anchor: spot, src: `${away}/picture.png` },
        'mallory.picture',
      ),
      put(
        'drawing',
        {
          kind: 'shape',
          order: 3,
          anchor: spot,
          text: markup('shape'),
          look: { shape: 'rect"><img src=x>' },
        },
        'mallory.shape',
      ),
      {
        op: 'sheet',
        sheet,
        patch: { name: '<img src=x onerror=ran=1>', page: { header: markup('header') } },
      },
      { op: 'addSheet', sheet: 'mallory.1', name: '"><svg onload=top.ran=1>', at: 1 },
    ];
  }

  const paste = ({ frame }: EditorPage, html: string) =>
    frame.evaluate((given) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', given);
      clipboardData.setData('text/plain', 'plain');
      document.activeElement!.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, html);

  it('[XS216] run nothing and fetch nothing: typed, pasted, in a file or from a program of somebody else', async () => {
    const key = newName('markup');
    const sourceUrl = world.world.integrator.serve('markup.xlsx', {
      bytes: buildXlsx([
        [markup('file'), 'Count'],
        ['x', 1],
        ['y', 2],
      ]),
    });
    const ann = await world.visit({ key, user: 'ann', sourceUrl, documentType: 'cell' });
    ann.page.on('request', (request) => {
      if (request.url().startsWith(away)) asked.push(request.url());
    });
    const mallory = await world.world.joinWorkbook({ key, user: 'mallory', sourceUrl, fileType: 'xlsx' });
    const sheet = mallory.workbook.sheets[0]!.id;
    const made = hostile(sheet);
    for (const operation of made) {
      const before = mallory.workbook;
      mallory.dispatch({ operations: [operation] });
      expect([operation, mallory.workbook !== before]).toEqual([operation, true]);
    }
    await mallory.saved();
    const { frame, page } = ann;
    await shows(ann, 'A2', markup('cell'));
    await frame.getByRole('tab', { name: '<img src=x onerror=ran=1>' }).waitFor();
    await frame.locator('.chart-box svg').first().waitFor();
    await ann.choose('View', 'Comments');
    await frame.locator('.side-panel', { hasText: 'onerror' }).waitFor();
    for (const entry of ['Data validation', 'Conditional formatting', 'Names']) {
      await goTo(ann, 'A2');
      await ann.choose('Data', entry);
      await frame.locator('dialog').waitFor();
      await page.keyboard.press('Escape');
      await frame.locator('dialog').waitFor({ state: 'detached' });
    }
    await goTo(ann, 'A2');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Escape');
    // What the validation says of an entry that it refuses.
    await put(ann, 'A2', 'none of these');
    await ann.showsNotice(/onerror/);
    for (const _press of [1, 2]) await page.keyboard.press('Escape');
    await goTo(ann, 'F40');
    await paste(
      ann,
      `<style>@import url(${away}/style);td{background:url(${away}/background)}</style><link rel=stylesheet href="${away}/sheet">
      <table background="${away}/table"><tr><td style="background-image:url(${away}/cell)">one</td>
      <td><img src="${away}/image" onerror="top.ran=1">two</td><td><iframe src="${away}/frame"></iframe>
      <svg onload="top.ran=1"><image href="${away}/svg"/></svg><a href="javascript:top.ran=1">three</a>
      <video poster="${away}/poster" src="${away}/video"></video></td></tr></table>`,
    );
    await shows(ann, 'F40', 'one');
    await shows(ann, 'G40', 'two');
    await put(ann, 'F42', markup('typed'));
    await shows(ann, 'F42', markup('typed'));
    await ann.saved();
    expect([await ran(ann), asked]).toEqual([undefined, []]);
    // The browser tells of handlers in what was pasted, which is read in a document that runs nothing.
    expect(ann.problems.filter((problem) => !/^Executing inline event handler/.test(problem))).toEqual([]);
    expect(await frame.locator('img[src^="http://127"], script:not([src]), iframe').count()).toBe(0);
    await mallory.close();
  });
});
