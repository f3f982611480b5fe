import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CellSession } from '../../client/cell/cell-session.ts';
import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { encodeChange } from '../../model/cell/change.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { sameWorkbook } from '../../model/cell/same-workbook.ts';
import { eventually } from '../support/eventually.ts';
import type { RawClient, Sent } from '../support/raw-client.ts';
import { save, saveMessage } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import { fetchFile } from '../support/word-editor.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';

let scene: SharedScene;
let sourceUrl: string;
beforeAll(async () => {
  scene = await Scene.openShared();
  const bytes = buildXlsx([
    ['Item', 'Price'],
    ['Nails', 3.5],
    ['Sum', '=SUM(B2:B2)'],
  ]);
  sourceUrl = scene.integrator.serve('shared.xlsx', { bytes });
});
afterAll(() => scene?.close());

const openCmd = (key: string) => ({
  c: 'open',
  id: key,
  format: 'xlsx',
  url: sourceUrl,
  title: 'shared.xlsx',
  model: 'cell',
});

/** A person whose program keeps to the rules. */
async function open(
  key: string,
  user: string,
  editingMode: 'fast' | 'strict' = 'fast',
): Promise<CellSession> {
  const session = new CellSession({
    url: scene.quire.address,
    key,
    clientId: user,
    editingMode,
    auth: {
      user: { id: user, username: user },
      permissions: { edit: true },
      mode: 'edit',
      coEditingMode: editingMode,
      documentCallbackUrl: scene.integrator.callbackUrl(key),
      openCmd: openCmd(key) as never,
    },
  });
  await session.open();
  return session;
}

/** Somebody whose program sends what it likes. */
async function intrude(key: string, user: string, permissions: Sent, mode = 'edit'): Promise<RawClient> {
  const { client } = await scene.join(key, user, { editorType: 1, openCmd: openCmd(key), permissions, mode });
  return client;
}

const sheet = 's1';
const set = (row: number, v: string): CellOperation => ({ op: 'set', sheet, cells: [[row, 0, { v }]] });
const valueAt = ({ workbook }: CellSession, row: number) => workbook.sheets[0]!.grid.cell(row, 0).value;

/** What would stop the calculation of everybody, keep the file from being made, or make it one that no program opens. */
const harmful: readonly unknown[] = [
  { op: 'several', operations: [{ op: 'recalculate', when: [1, 1], region: { no: 'text' } }] },
  { op: 'recalculate', when: [1e300, 1] },
  { op: 'sheet', sheet, patch: { page: { header: { text: 'a' }, margins: { '"><x y="': 1 } } } },
  { op: 'sheet', sheet, patch: { page: { header: 'bell \u0007', footer: 'half \ud800' } } },
  { op: 'set', sheet, cells: [[8, 0, { f: { t: '1', a: ['dynamic', 1_048_568, 16_384] } }]] },
  {
    op: 'put',
    sheet,
    kind: 'filter',
    id: 'mallory.1',
    item: {
      area: [0, 0, 1, 1],
      columns: [{ column: 0, extra: { xml: '<colorFilter dxfId="0"/></filterColumn></autoFilter><x>' } }],
    },
  },
];

it('[SV41] who opens a workbook by the library comes in beside editors of spreadsheets', async () => {
  const key = scene.newKey();
  await intrude(key, 'page', { edit: true });
  const ann = await open(key, 'ann');
  expect(ann.workbook.sheets).toHaveLength(1);
  await ann.close();
});

describe('programs that send what no page would', () => {
  it('[XA5] [RL12] whatever they send, others go on, all have the same, and the file has it', async () => {
    const key = scene.newKey();
    const ann = await open(key, 'ann');
    const first = ann.workbook.sheets[0]!.id;
    expect(first).toBe(sheet);
    const bob = await open(key, 'bob');
    let count = 0;

    // Who may only look is refused by the server; who may comment, review or fill in forms makes nothing of a sheet.
    for (const [user, permissions] of [
      ['vera', { edit: false }],
      ['carl', { edit: false, comment: true }],
      ['rita', { edit: false, review: true }],
      ['fred', { edit: false, fillForms: true }],
    ] as const) {
      const client = await intrude(key, user, permissions);
      client.send({ type: 'isSaveLock', syncChangesIndex: count });
      client.send(
        saveMessage([
          encodeChange(user, set(0, user), 1),
          encodeChange(user, { op: 'addSheet', sheet: `${user}.1`, name: user, at: 0 }, 2),
          encodeChange(user, { op: 'several', operations: [], when: [1, 1], region: 'xx' }, 3),
        ]),
      );
      await client.leave();
    }

    // From who may change everything else the right to protect and to filter is kept, whatever their page is.
    const nina = await intrude(key, 'nina', { edit: true, protect: false, modifyFilter: false });
    const withheld: CellOperation[] = [
      { op: 'sheet', sheet, patch: { protection: { allows: [] } } },
      { op: 'workbook', patch: { protected: true } },
      { op: 'lines', sheet, axis: 'row', spans: [[1, 1]], patch: { filtered: true } },
    ];
    const ofNina = [...withheld, set(3, 'by Nina')].map((one, at) => encodeChange('nina', one, at));
    await save(nina, ofNina, {}, count);
    await nina.leave();

    // Who may do everything sends a flood of what nobody could show.
    const mallory = await intrude(key, 'mallory', { edit: true });
    const fill = (column: number): CellOperation => ({
      op: 'fill',
      sheet,
      from: [1, 0, 1, 0],
      to: [0, column, 999_999, column],
      part: 'all',
    });
    const flood = [
      ...Array.from({ length: 200 }, (_, at) => encodeChange('mallory', fill(at), at)),
      encodeChange('mallory', { op: 'pivot', version: 99 } as never, 300),
      '{"c":"mallory","n":301,"s":{"op":"set","sheet":"s1","cells":[[-1,0,{"v":1}]]}}',
      '{"c":"mallory","n":302,"s":{"op":"put","sheet":"s1","kind":"merge","id":"__proto__","item":{"area":[0,0,1,1]}}}',
      `{"c":"mallory","n":303,"s":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
      '{"c":"mallory","s":{"op":"none of ours"}}',
      ...harmful.map((operation, at) => encodeChange('mallory', operation as never, 400 + at)),
      encodeChange('mallory', set(4, 'by Mallory'), 304),
    ];
    const { rows } = await scene.database.pool.query<{ index: number }>(
      'SELECT max(next_index)::int AS index FROM batches WHERE key = $1',
      [key],
    );
    count = rows[0]?.index ?? 0;
    await save(mallory, flood, {}, count);

    ann.dispatch({ operations: [set(5, 'by Ann')] });
    bob.dispatch({ operations: [set(6, 'by Bob')] });
    await eventually(
      async () => [ann, bob].map((one) => [valueAt(one, 4), valueAt(one, 5), valueAt(one, 6)].join()),
      (seen) => seen.every((one) => one === 'by Mallory,by Ann,by Bob'),
    );
    expect(sameWorkbook(ann.workbook, bob.workbook)).toBe(true);
    expect(ann.workbook.sheets).toHaveLength(1);
    expect(valueAt(ann, 0)).toBe('Item');
    expect(valueAt(ann, 3)).toBe('by Nina');
    expect(ann.workbook.sheets[0]!.properties.protection).toBeUndefined();
    expect(ann.workbook.properties.protected).toBeUndefined();
    expect(ann.workbook.sheets[0]!.grid.row(1)?.line.filtered).toBeUndefined();

    await mallory.leave();
    await ann.close();
    await bob.close();
    const { body } = await scene.integrator.waitForCallback(
      key,
      ({ status }) => status === 2 || status === 3,
    );
    expect(body.status).toBe(2);
    const { grid } = parseWorkbook(openXlsx(await fetchFile(body.url)).model).sheets[0]!;
    expect([0, 3, 4, 5, 6].map((row) => grid.cell(row, 0).value)).toEqual([
      'Item',
      'by Nina',
      'by Mallory',
      'by Ann',
      'by Bob',
    ]);
  });
});

/** The first sheet of the file that comes when all have left. */
async function deliveredSheet(key: string) {
  const { body, status } = await scene.integrator.waitForCallback(key, (one) => one.status !== 1);
  expect(status).toBe(2);
  return parseWorkbook(openXlsx(await fetchFile(body.url)).model).sheets[0]!;
}

it('[XA9] who takes no locks changes a sheet that somebody holds in strict mode, and takes nothing from them', async () => {
  const key = scene.newKey();
  const ann = await open(key, 'ann', 'strict');
  const mallory = await intrude(key, 'mallory', { edit: true });
  ann.dispatch({ operations: [set(1, 'by Ann'), set(5, 'by Ann')] });
  await mallory.next('getLock');
  const changes = [set(1, 'by Mallory'), { op: 'insert', sheet, axis: 'row', at: 0, count: 2 } as const];
  await save(
    mallory,
    changes.map((one, at) => encodeChange('mallory', one, at)),
    { releaseLocks: true },
  );
  expect([valueAt(ann, 1), valueAt(ann, 5)]).toEqual(['by Ann', 'by Ann']);
  await ann.save();
  // What she had made counts in its cells, wherever these are by now.
  expect([0, 3, 7].map((row) => valueAt(ann, row))).toEqual([null, 'by Ann', 'by Ann']);
  await mallory.leave();
  await ann.close();
  const { grid } = await deliveredSheet(key);
  expect([0, 2, 3, 7].map((row) => grid.cell(row, 0).value)).toEqual([null, 'Item', 'by Ann', 'by Ann']);
});

it('[XA10] formulas at and beyond every bound keep nobody up: each is a formula, a text or skipped, and all else is calculated', async () => {
  const key = scene.newKey();
  const ann = await open(key, 'ann');
  const mallory = await intrude(key, 'mallory', { edit: true });
  const formula = (row: number, t: string): CellOperation => ({
    op: 'set',
    sheet,
    cells: [[row, 0, { f: t }]],
  });
  const sum = (length: number) => `1${'+1'.repeat((length - 1) / 2)}`.padEnd(length, ' ');
  const nested = (levels: number) => `${'ABS('.repeat(levels)}1${')'.repeat(levels)}`;
  const sent = [
    sum(8_191),
    sum(8_192),
    sum(8_193),
    nested(64),
    nested(65),
    nested(300),
    `${'('.repeat(300)}1${')'.repeat(300)}`,
    `${'-'.repeat(3_000)}1`,
  ];
  await save(
    mallory,
    sent.map((text, at) => encodeChange('mallory', formula(10 + at, text), at)),
  );
  ann.dispatch({ operations: [formula(5, 'B2*2')] });
  await ann.saved();
  await mallory.leave();
  await ann.close();
  const { grid } = await deliveredSheet(key);
  // What Excel would take out of the file is a text in it, and what is longer than a formula may be is nothing.
  const written = sent.map((text, at) => {
    const { formula: kept, value } = grid.cell(10 + at, 0);
    if (kept) return kept.text === text ? 'formula' : kept.text;
    return value === `=${text}` ? 'text' : value;
  });
  expect(written).toEqual(['formula', 'formula', null, 'formula', 'text', 'text', 'formula', 'formula']);
  expect([grid.cell(13, 0).value, grid.cell(5, 0).value]).toEqual([1, 7]);
});
