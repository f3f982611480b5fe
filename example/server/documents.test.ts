import { readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { compileEngine } from '../../model/calculation/engine-instance.ts';
import { CalculationFeed } from '../../model/cell/calculation-feed.ts';
import { CalculationHost } from '../../model/cell/calculation-host.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import { loadConfig, servesExample } from '../../platform/config.ts';
import { buildDocx } from '../../test/support/docx-fixture.ts';
import { eventually } from '../../test/support/eventually.ts';
import { ExampleWorld } from '../../test/support/example-world.ts';
import { type ExampleSettings, personHeader, type RefusalBody } from '../api.ts';
import { fromTemplate, templates } from './templates/templates.ts';

const keepDeletedMs = 200;
let world: ExampleWorld;
beforeEach(async () => {
  world = await ExampleWorld.open({ maxFileBytes: 200_000, maxDocuments: 3, keepDeletedMs });
});
afterEach(() => world.close());

const titles = async () =>
  (await world.get<{ documents: { title: string }[] }>('api/documents')).documents.map(({ title }) => title);

const refusal = async (response: Response): Promise<[number, string]> => [
  response.status,
  ((await response.json()) as RefusalBody).error.code,
];

it.each([
  [{}, true],
  [{ DATABASE_URL: 'postgres://h/d' }, false],
  [{ DATABASE_URL: 'postgres://h/d', EXAMPLE_ENABLED: 'true' }, true],
  [{ EXAMPLE_ENABLED: 'false' }, false],
  [{ EXAMPLE_ENABLED: 'true', JWT_ENABLED: 'false' }, false],
  [{ EXAMPLE_ENABLED: 'true', JWT_ENABLED_OUTBOX: 'false' }, false],
])('[EX1] with %o the example is served: %s', (environment, served) => {
  expect(servesExample(loadConfig(environment))).toBe(served);
});

const engine = compileEngine(
  readFileSync(new URL('../../model/calculation/engine/calculation.wasm', import.meta.url)),
);

describe('templates', () => {
  it('[EX32] are offered where the document server has an editor for what is made of them', async () => {
    const formats = (actions: readonly string[]) =>
      world.files.set(
        '/meta/formats',
        Buffer.from(
          JSON.stringify([
            { name: 'docx', actions },
            { name: 'xlsx', actions: ['view', 'edit'] },
            { name: 'pdf', actions: ['view'] },
          ]),
        ),
      );
    const settings = () => world.get<ExampleSettings>('api/settings');
    expect((await settings()).templates).toEqual(templates);
    formats(['view', 'edit']);
    expect((await settings()).templates).toEqual(templates);
    expect(await settings()).toMatchObject({
      openedTypes: ['docx', 'xlsx', 'pdf'],
      editedTypes: ['docx', 'xlsx'],
    });
    formats(['view']);
    expect(await settings()).toMatchObject({
      templates: templates.filter(({ fileType }) => fileType === 'xlsx'),
      ...{ openedTypes: ['docx', 'xlsx', 'pdf'], editedTypes: ['xlsx'] },
    });
    world.files.delete('/meta/formats');
  });

  const idsOf = (type: string) => templates.flatMap(({ id, fileType }) => (fileType === type ? [id] : []));

  it.each(idsOf('docx'))('[EX2] “%s” makes a docx that the engine opens, always the same', (id) => {
    const { bytes } = fromTemplate(id, 'A & B')!;
    expect(Buffer.compare(bytes, fromTemplate(id, 'A & B')!.bytes)).toBe(0);
    const { doc } = openDocx(bytes);
    expect(doc.textContent.length > 100).toBe(id !== 'blank');
    const opaque: string[] = [];
    doc.descendants((node) => {
      if (node.type.name.startsWith('opaque')) opaque.push(node.type.name);
    });
    expect(opaque).toEqual([]);
  });

  it.each(idsOf('xlsx'))(
    '[EX2] “%s” makes an xlsx with the values of its formulas, always the same',
    (id) => {
      const { bytes } = fromTemplate(id, 'A & B')!;
      expect(Buffer.compare(bytes, fromTemplate(id, 'A & B')!.bytes)).toBe(0);
      const workbook = parseWorkbook(openXlsx(bytes).model);
      const { grid } = workbook.sheets[0]!;
      expect(grid.cell(0, 0).value === null).toBe(id === 'workbook');
      const host = new CalculationHost(engine);
      const { values, stale } = [...new CalculationFeed('en').next(workbook)]
        .map((request) => host.take(request))
        .at(-1)!;
      expect([values.length > 0, stale]).toEqual([id === 'budget' || id === 'schedule', []]);
      for (const { row, column, value } of values) {
        expect(value, `${row} ${column}`).toBeCloseTo(Number(grid.cell(row, column).value), 9);
      }
    },
  );

  it('[EX2] a document made from one is in the list, with its maker and one version', async () => {
    const made = await world.create('Garden');
    expect(made).toMatchObject({ title: 'Garden', fileType: 'docx', kind: 'word', versionCount: 1 });
    expect(made.latest).toMatchObject({ number: 1, origin: 'created', people: [{ id: 'ann' }] });
    expect(await titles()).toEqual(['Garden']);
    const unknown = await world.ask('POST', 'api/documents', { body: { template: 'poem', title: 'T' } });
    expect(await refusal(unknown)).toEqual([400, 'bad-request']);
  });
});

describe('uploads', () => {
  const docx = buildDocx({ paragraphs: ['Hello'] });
  const refused: readonly (readonly [string, string, Uint8Array, number, string])[] = [
    ['an empty file', 'a.docx', new Uint8Array(), 422, 'empty-file'],
    ['an unknown type', 'a.exe', docx, 415, 'unknown-type'],
    ['no extension', 'docx', docx, 415, 'unknown-type'],
    ['a name that is only an extension', '.docx', docx, 415, 'unknown-type'],
    ['text under the name of a docx', 'a.docx', Buffer.from('hello'), 422, 'wrong-content'],
    ['a zip that is no docx', 'a.docx', zipSync({ a: new Uint8Array(3) }), 422, 'wrong-content'],
    ['a docx under the name of an xlsx', 'a.xlsx', docx, 422, 'wrong-content'],
    ['an encrypted file', 'a.docx', Buffer.from('d0cf11e0a1b11ae1ff', 'hex'), 422, 'protected-file'],
    ['a file that is too large', 'a.txt', Buffer.alloc(200_001, 'a'), 413, 'too-large'],
    ['a title of nothing but space', ' .docx', docx, 422, 'bad-title'],
    ['a title that is too long', `${'a'.repeat(123)}.docx`, docx, 422, 'bad-title'],
  ];
  it.each(refused)('[EX3] %s is refused with a reason', async (_what, name, bytes, status, code) => {
    expect(await refusal(await world.upload(name, bytes))).toEqual([status, code]);
    expect(await titles()).toEqual([]);
  });

  it('[EX3] what is uploaded is stored as it came, under a title without path and control characters', async () => {
    const response = await world.upload('../../etc/pass\u0007wd \u202e x.DOCX', docx);
    expect(response.status).toBe(201);
    const { id, title, fileType } = (await response.json()) as Record<string, string>;
    expect([title, fileType]).toEqual(['.. .. etc pass wd x', 'docx']);
    const file = await fetch(`${world.address}/api/documents/${id}/versions/1/file`);
    expect(Buffer.compare(Buffer.from(await file.arrayBuffer()), docx)).toBe(0);
    expect(file.headers.get('content-disposition')).toContain('attachment');
  });

  it('[EX19] there is an end to how many documents are kept, and deleting makes room', async () => {
    const { id } = await world.create('1');
    await world.create('2');
    await world.create('3');
    expect(await refusal(await world.upload('4.docx', docx))).toEqual([409, 'too-many']);
    await world.ask('DELETE', `api/documents/${id}`);
    expect((await world.upload('4.docx', docx)).status).toBe(201);
  });
});

describe('who may', () => {
  const body = JSON.stringify({ template: 'blank', title: 'T' });
  const post = (headers: Record<string, string>) =>
    fetch(`${world.address}/api/documents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  it('[EX4] changes are taken from the own pages only', async () => {
    const ann = { [personHeader]: 'ann' };
    expect(await refusal(await post({ ...ann, 'sec-fetch-site': 'cross-site' }))).toEqual([
      403,
      'other-site',
    ]);
    expect(await refusal(await post({ ...ann, 'sec-fetch-site': 'same-site' }))).toEqual([403, 'other-site']);
    expect(await refusal(await post({ ...ann, origin: 'https://evil.test' }))).toEqual([403, 'other-site']);
    expect(await refusal(await post({}))).toEqual([403, 'not-allowed']);
    expect(await refusal(await post({ [personHeader]: 'mallory' }))).toEqual([403, 'not-allowed']);
    expect(await titles()).toEqual([]);
    expect((await post({ ...ann, origin: new URL(world.address).origin })).status).toBe(201);
  });

  it.each(['carla', 'deniz', 'yara'])('[EX4] %s, who may not edit, may change nothing', async (as) => {
    const { id } = await world.create();
    const answers = await Promise.all([
      world.ask('PATCH', `api/documents/${id}`, { as, body: { title: 'X' } }),
      world.ask('DELETE', `api/documents/${id}`, { as }),
      world.ask('POST', `api/documents/${id}/versions/1/restore`, { as }),
      world.ask('POST', 'api/documents', { as, body: { template: 'blank', title: 'X' } }),
      world.upload('x.docx', buildDocx(), as),
    ]);
    for (const answer of answers) expect(await refusal(answer)).toEqual([403, 'not-allowed']);
    expect(await titles()).toEqual(['Plan']);
  });

  it.each([
    'api/documents/..%2f..%2fsecrets.json',
    'api/documents/%2e%2e',
    'api/documents/__proto__',
    'api/documents/{id}/versions/0/file',
    'api/documents/{id}/versions/..%2fdocument.json/file',
    'api/documents/{id}/versions/1e0x/file',
    'api/documents/{id}/history/99',
    'api/documents/{id}/config?as=ann&version=7',
    'people/..%2f..%2fx.svg',
    'api/nothing',
  ])('[EX5] %s names nothing', async (where) => {
    const { id } = await world.create();
    expect(await refusal(await world.ask('GET', where.replace('{id}', id)))).toEqual([404, 'not-found']);
  });
});

describe('renaming and deleting', () => {
  it('[EX17] the document server learns of a new name', async () => {
    const { id } = await world.create();
    const { document } = await world.config(id);
    const told = world.commands.length;
    const response = await world.ask('PATCH', `api/documents/${id}`, { body: { title: '  Spring\n plan ' } });
    expect(await response.json()).toMatchObject({ title: 'Spring plan' });
    await eventually(() => expect(world.commands.length).toBe(told + 1));
    const { c, key, meta } = world.commands.at(-1)!;
    expect({ c, key, meta }).toEqual({ c: 'meta', key: document.key, meta: { title: 'Spring plan.docx' } });
    expect((await world.config(id)).document.key).toBe(document.key);
  });

  it('[EX17] a deleted document is gone, can be brought back, and is removed after a while', async () => {
    const { id } = await world.create();
    await world.ask('DELETE', `api/documents/${id}`);
    expect(await titles()).toEqual([]);
    expect(await refusal(await world.ask('GET', `api/documents/${id}`))).toEqual([404, 'not-found']);
    expect((await world.ask('POST', `api/documents/${id}/undelete`)).status).toBe(200);
    expect(await titles()).toEqual(['Plan']);

    await world.ask('DELETE', `api/documents/${id}`);
    const kept = path.join(world.directory, 'documents');
    // Adding a document looks for what can go.
    await eventually(
      async () => {
        const { id: other } = await world.create();
        await world.ask('DELETE', `api/documents/${other}`);
        return readdir(kept);
      },
      (names) => !names.includes(id),
    );
    expect(await refusal(await world.ask('POST', `api/documents/${id}/undelete`))).toEqual([
      404,
      'not-found',
    ]);
  });

  it('[EX18] everything is there after a restart, and a damaged record harms no other', async () => {
    const { id } = await world.create('Kept');
    await mkdir(path.join(world.directory, 'documents', 'damaged'));
    await writeFile(path.join(world.directory, 'documents', 'damaged', 'document.json'), '{"id": "dam');
    const before = await world.details(id);
    await world.restart();
    expect(await world.details(id)).toEqual(before);
    expect(await titles()).toEqual(['Kept']);
    expect(await readdir(path.join(world.directory, 'documents'))).toContain('damaged');
  });
});

it('[EX26] open pages hear which document changed', async () => {
  const events = await fetch(`${world.address}/api/events`);
  expect(events.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { id } = await world.create();
  let heard = '';
  while (!heard.includes(`data: ${JSON.stringify({ id })}`)) heard += (await reader.read()).value;
  await reader.cancel();
});

it('[EX27] a copy is made of what the document server offers, and of nothing else', async () => {
  const docx = buildDocx({ paragraphs: ['Copied'] });
  const copy = (url: string) =>
    world.ask('POST', 'api/documents/copy', { body: { url, title: 'Copy.docx', fileType: 'docx' } });
  const made = await copy(world.hold('copy.docx', docx));
  expect(await made.json()).toMatchObject({ title: 'Copy', latest: { origin: 'copied' } });
  expect(await refusal(await copy('http://127.0.0.1:1/secret'))).toEqual([400, 'bad-request']);
  expect(await refusal(await copy('nonsense'))).toEqual([400, 'bad-request']);
  const gone = await copy('https://x.test/cache/files/data/gone.docx');
  expect(await refusal(gone)).toEqual([502, 'server-unreachable']);
});
