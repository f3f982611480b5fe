import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerMessage } from '../../client/protocol/index.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { judgeCells } from '../support/rights/cell-rights.ts';
import { type DocumentName, grantOf, Holder, type Holding, type RoleName } from '../support/rights/grants.ts';
import {
  type AuditedRow,
  changeOf,
  type Facts,
  judgeAnswer,
  judgeCallback,
  judgeHeard,
  judgeProbe,
  judgeRow,
  judgeTrapped,
  probeBlock,
  probeCells,
  secretOf,
} from '../support/rights/judge.ts';
import { allRows } from '../support/rights/plan.ts';
import { runRights } from '../support/rights/run.ts';
import { judgeWord } from '../support/rights/word-rights.ts';
import { RightsWorld } from '../support/rights/world.ts';
import { buildWorkbook } from '../support/workbook-fixture.ts';

const keyOf = (name: DocumentName) => `s-${name}`;
const addresses = {
  source: (key: string, serial: string) => `http://app.test/file/${key}/${serial}`,
  callback: (key: string, serial: string) => `http://app.test/callback/${key}/${serial}`,
  picture: (serial: string) => `http://app.test/picture/${serial}.png`,
};

function holderOf(serial: string, ...holdings: Holding[]): Holder {
  const holder = new Holder(serial);
  for (const holding of holdings) {
    holder.grants.push({ ...grantOf(holding, holder, keyOf, addresses).grant, token: '' });
  }
  return holder;
}

const opening = (role: RoleName, document: DocumentName = 'main', isNamed = true): Holding => ({
  ...{ kind: 'opening', role, document, isNamed },
});
const [probe, ann, vic, kim, otto] = [
  holderOf('probe', opening('editor')),
  holderOf('ann', opening('editor')),
  holderOf('vic', opening('viewer')),
  holderOf('kim', opening('kept')),
  holderOf('otto', opening('editor', 'other'), { kind: 'history', document: 'past', previous: null }),
];
const server = 'http://quire.test';
const probeFacts = {
  ...{
    key: 's-main',
    serial: 'probe',
    userId: 'user-probe',
    userName: probe.userName,
    uniqueId: 'user-probe1',
  },
  ...{ connectionId: 'c1', secrets: ['session-of-the-probe'] },
};
const facts: Facts = {
  prefix: 's-',
  holders: new Map([probe, ann, vic, kim, otto].map((holder) => [holder.serial, holder])),
  probes: new Map([['s-main', probeFacts]]),
  baseUrls: [server],
  isClosing: false,
};

const kindsOf = (breaches: readonly { kind: string }[]) => breaches.map(({ kind }) => kind);
const row = (table: string, columns: object, op = 'INSERT'): AuditedRow => ({
  ...{
    table,
    op,
    row: { key: 's-main', base_url: server, store_within_ms: null, source_url: null, ...columns },
  },
});
const batch = (who: string, columns: object = {}, change = changeOf(who, 1)) =>
  judgeRow(row('batches', { user_id: `user-${who}`, changes: JSON.stringify([change]), ...columns }), facts);
const heard = (message: object, holder: Holder) =>
  kindsOf(judgeHeard(message as ServerMessage, holder, facts));
const told = (message: object) => kindsOf(judgeProbe(message as ServerMessage, probeFacts, facts));
const present = (who: string, more: object = {}) => ({
  ...{ id: `user-${who}2`, idOriginal: `user-${who}`, username: `Name of ${who}`, indexUser: 2, view: false },
  ...{ connectionId: 'c2', ...more },
});
const company = (...participants: object[]) =>
  told({ type: 'connectState', participantsTimestamp: 1, participants });
const answered = (method: string, path: string, body: string, holder: Holder) =>
  kindsOf(judgeAnswer({ method, path, status: 200, body }, holder, facts));

describe('the judge of rights', () => {
  it('[RF1] accepts what tokens grant', () => {
    expect(batch('ann')).toEqual([]);
    expect(batch('probe')).toEqual([]);
    expect(batch('ann', {}, changeOf('ann', 2, 's-other'))).toEqual([]);
    expect(batch('otto', { key: 's-other' })).toEqual([]);
    const opened = { user_id: 'user-ann', callback_url: addresses.callback('s-main', 'ann') };
    expect(judgeRow(row('openings', opened), facts)).toEqual([]);
    expect(judgeRow(row('documents', { source_url: addresses.source('s-main', 'vic') }), facts)).toEqual([]);
    const past = { key: 's-past', source_url: addresses.source('s-past', 'otto-history') };
    expect(judgeRow(row('documents', past), facts)).toEqual([]);
    const body = { key: 's-main', url: `${server}/cache/files/a`, users: ['user-ann'] };
    expect(judgeCallback({ path: '/callback/s-main/vic', body }, facts)).toEqual([]);
    expect(
      company(present('probe', { connectionId: 'c1' }), present('ann'), present('vic', { view: true })),
    ).toEqual([]);
    expect(told({ type: 'getLock', locks: { [probeBlock]: { user: 'user-probe1' } } })).toEqual([]);
    expect(heard({ type: 'saveLock', saveLock: false }, ann)).toEqual([]);
    expect(heard({ type: 'saveLock', saveLock: true }, vic)).toEqual([]);
    expect(answered('GET', '/downloadas/s-main', '{"status":"ok"}', vic)).toEqual([]);
  });

  it('[RF2] finds changes in the log of whoever may not write, is somebody else, was dropped, or takes back', () => {
    expect(kindsOf(batch('vic'))).toEqual(['log']);
    expect(kindsOf(batch('otto'))).toEqual(['log']);
    expect(kindsOf(batch('nobody-knows'))).toEqual(['log']);
    expect(kindsOf(batch('ann', { user_id: 'user-probe' }))).toEqual(['takeover']);
    expect(kindsOf(batch('ann', {}, changeOf('ann', 2, 's-main')))).toEqual(['dropped']);
    const removal = row('batches', { key: 's-past' }, 'DELETE');
    expect(kindsOf(judgeRow(removal, facts))).toEqual(['log']);
  });

  it('[RF3] finds addresses of files, callbacks and of the server that no token names, and documents that none opens', () => {
    const findings: [string, object, string][] = [
      ['documents', { source_url: 'http://trap.test/' }, 'address'],
      ['documents', { source_url: addresses.source('s-other', 'otto') }, 'address'],
      ['documents', { source_url: addresses.source('s-main', 'otto-history') }, 'address'],
      ['documents', { base_url: 'http://evil.test' }, 'address'],
      ['documents', { store_within_ms: 1_000 }, 'address'],
      ['documents', { key: 's-nobody' }, 'entry'],
      ['openings', { user_id: 'user-ann', callback_url: 'http://trap.test/' }, 'address'],
      ['openings', { user_id: 'user-otto', callback_url: null }, 'entry'],
      ['saves', { callback_url: addresses.callback('s-other', 'otto') }, 'address'],
      ['saves', { callback_url: null, base_url: 'http://evil.test' }, 'address'],
    ];
    for (const [table, columns, kind] of findings) {
      expect([table, columns, kindsOf(judgeRow(row(table, columns), facts))]).toEqual([
        table,
        columns,
        [kind],
      ]);
    }
    expect(judgeTrapped('GET /trap/ann').kind).toBe('fetch');
  });

  it('[RF4] finds callbacks that go elsewhere, lead elsewhere, or name editors who are none', () => {
    const path = '/callback/s-main/ann';
    const one = (more: object, where = path) =>
      kindsOf(judgeCallback({ path: where, body: { key: 's-main', ...more } }, facts));
    expect(one({}, '/callback/s-other/otto')).toEqual(['callback']);
    expect(one({ url: 'http://evil.test/cache/files/a' })).toEqual(['callback']);
    expect(one({ changesurl: `${server}.evil.test/cache` })).toEqual(['callback']);
    expect(one({ users: ['user-vic'] })).toEqual(['callback']);
    expect(one({ actions: [{ type: 1, userid: 'user-otto' }] })).toEqual(['callback']);
  });

  it("[RF5] finds who is in without the right, under another name, with another one's lock, or in the way of others", () => {
    expect(company(present('otto', { view: true }))).toEqual(['entry']);
    expect(company(present('vic'))).toEqual(['entry']);
    expect(company(present('ann', { username: 'Evil' }))).toEqual(['takeover']);
    expect(company(present('probe', { connectionId: 'c1', username: 'Evil' }))).toEqual(['takeover']);
    expect(told({ type: 'getLock', locks: { [probeBlock]: { user: 'user-ann2' } } })).toEqual(['takeover']);
    const held = (user: string, cells: object = {}) => ({
      user,
      block: { ...(probeCells as object), ...cells },
    });
    const beside = (cells: object) =>
      told({ type: 'getLock', locks: { [probeBlock]: held('user-probe1'), g: held('user-ann2', cells) } });
    expect(beside({ rangeOrObjectId: { c1: 5, r1: 5, c2: 9, r2: 9 } })).toEqual(['takeover']);
    expect(beside({ type: 3 })).toEqual(['takeover']);
    expect(beside({ rangeOrObjectId: { c1: 6, r1: 0, c2: 9, r2: 9 } })).toEqual([]);
    expect(beside({ sheetId: 'another' })).toEqual([]);
    expect(told({ type: 'releaseLock', locks: [{ block: probeBlock }] })).toEqual(['takeover']);
    const chat = (useridoriginal: string, message: string) =>
      told({ type: 'message', messages: [{ useridoriginal, message }] });
    expect(chat('user-otto', 'otto')).toEqual(['entry']);
    expect(chat('user-probe', 'ann')).toEqual(['takeover']);
    for (const type of ['drop', 'disconnectReason', 'error', 'updateVersion'])
      expect(told({ type })).toEqual(['shut-out']);
    expect(heard({ type: 'saveLock', saveLock: false }, vic)).toEqual(['entry']);
    expect(heard({ type: 'unSaveLock', index: 0, time: 1, syncChangesIndex: 1 }, kim)).toEqual(['entry']);
    expect(heard({ type: 'forceSaveStart', messages: { code: 0 } }, vic)).toEqual(['entry']);
  });

  it('[RF6] finds files, links, secrets and commands in the wrong hands', () => {
    const link = (key: string, file: string) =>
      `${server}/cache/files/data/${key}/${'a'.repeat(64)}/${file}?md5=x`;
    expect(heard({ type: 'documentOpen', data: link('s-other', 'Editor.bin/Editor.bin') }, ann)).toEqual([
      'leak',
    ]);
    expect(heard({ type: 'rpc', data: { url: link('s-main', 'output.docx/output.docx') } }, kim)).toEqual([
      'leak',
    ]);
    expect(heard({ type: 'rpc', data: 'session-of-the-probe' }, ann)).toEqual(['leak']);
    expect(heard({ type: 'authChanges', changes: [{ change: changeOf('probe', 7) }] }, otto)).toEqual([
      'leak',
    ]);
    // It is not vic's, and the text is that of another document.
    expect(answered('GET', '/downloadfile/s-main', `bytes ${secretOf('s-other')}`, vic)).toEqual([
      'leak',
      'leak',
    ]);
    const requests: [string, string, Holder, string][] = [
      ['/upload/s-main', '{}', vic, 'entry'],
      ['/downloadas/s-main?cmd=', '{"status":"ok"}', kim, 'leak'],
      ['/printfile/s-main/a.pdf', '%PDF', ann, 'leak'],
      ['/command', '{"error":0}', ann, 'command'],
      ['/converter', '{"endConvert":false}', ann, 'command'],
      ['/internal/cluster/inactive', 'true', ann, 'command'],
      ['/admin/api/documents', '{}', ann, 'command'],
    ];
    for (const [path, body, holder, kind] of requests) {
      expect([path, answered('POST', path, body, holder)]).toEqual([path, [kind]]);
    }
  });

  it('[RF7] finds what a part of the rights does not allow in the file itself', () => {
    const run = (text: string, properties = '') => `<w:r>${properties}<w:t>${text}</w:t></w:r>`;
    const file = (body: string) => buildDocx({ body: `<w:p>${body}</w:p>` });
    const control = (text: string) => `<w:sdt><w:sdtPr/><w:sdtContent>${run(text)}</w:sdtContent></w:sdt>`;
    const before = file(run('One two') + control('field'));
    const remark = '<w:commentRangeStart w:id="1"/>';
    const inserted = `<w:ins w:id="1" w:author="A">${run(' three')}</w:ins>`;
    const deleted = '<w:del w:id="2" w:author="A"><w:r><w:delText>two</w:delText></w:r></w:del>';
    const accepted = {
      comment: [run('One ') + remark + run('two') + control('field')],
      review: [run('One two') + inserted + control('field'), run('One ') + deleted + control('field')],
      fill: [run('One two') + control('filled in')],
    };
    const refused = {
      comment: [
        run('One three') + control('field'),
        run('One ') + run('two', '<w:rPr><w:b/></w:rPr>') + control('field'),
        run('One two') + inserted + control('field'),
        run('One ') + deleted + control('field'),
        run('One two') + run('field'),
      ],
      review: [
        run('One two three') + control('field'),
        run('One ') + control('field'),
        `${run('One')}</w:p><w:p>${run(' two')}${control('field')}`,
      ],
      fill: [
        run('One two three') + control('field'),
        control('One two field'),
        run('One ') + deleted + control('field') + run('!'),
      ],
    };
    for (const right of ['comment', 'review', 'fill'] as const) {
      for (const body of accepted[right])
        expect([body, judgeWord(right, before, file(body))]).toEqual([body, []]);
      for (const body of refused[right]) {
        expect([body, kindsOf(judgeWord(right, before, file(body)))]).toEqual([body, ['log']]);
      }
    }
  });
});

describe('the judge of rights to workbooks', () => {
  const workbook = (rows: string, after = '') => buildWorkbook({ sheets: [{ rows, after }] });
  const row = '<row r="1"><c r="A1"><v>1</v></c></row>';
  const other = '<row r="1"><c r="A1"><v>2</v></c></row>';
  const protection = '<sheetProtection sheet="1"/>';
  const note = '<legacyDrawing r:id="rId1"/>';

  it('[RF7] finds what a part of the rights does not allow in the file itself', () => {
    const before = workbook(row, protection);
    const judged = (after: Uint8Array) =>
      (['comment', 'review', 'fill', 'keep'] as const).map(
        (right) => judgeCells(right, before, after).length,
      );
    expect(judged(before)).toEqual([0, 0, 0, 0]);
    expect(judged(workbook(row, protection + note))).toEqual([0, 1, 1, 0]);
    expect(judged(workbook(other, protection))).toEqual([1, 1, 1, 0]);
    expect(judged(workbook(row))).toEqual([1, 1, 1, 1]);
    expect(judged(workbook(row, `${protection}<autoFilter ref="A1:A2"/>`))).toEqual([1, 1, 1, 1]);
  });
});

describe('intruders with lawful tokens', () => {
  let database: TestDatabase;
  let world: RightsWorld;
  beforeAll(async () => {
    database = await openTestDatabase();
    world = await RightsWorld.start(database.url);
  });
  afterAll(async () => {
    await world?.close();
    await database?.close();
  });

  it('[RF8] bring about nothing that their tokens do not grant, in hundreds of random sessions', async () => {
    const { counts, findings } = await runRights(world, { seed: 1, sessions: 480 });
    expect(findings.map((one) => JSON.stringify(one))).toEqual([]);
    // They did come in, and what may be done was done.
    expect(counts.entries).toBeGreaterThan(100);
    expect(counts.intrudersChanges).toBeGreaterThan(10);
    expect(counts.callbacks).toBeGreaterThan(50);
    expect(counts.wordFilesChanged).toBeGreaterThan(5);
    expect(counts.cellFilesChanged).toBeGreaterThan(5);
    expect(counts.wopiFilesStored).toBeGreaterThan(1);
    expect(allRows.filter((row) => !counts.rows[row])).toEqual([]);
  });
});
