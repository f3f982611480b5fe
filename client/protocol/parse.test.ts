import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isCellBlock,
  isSlideBlock,
  lockKey,
  parseChangeList,
  parseClientMessage,
  parseServerMessage,
} from './index.ts';

const client = (value: unknown) => parseClientMessage(value);
const block = (value: unknown) => client({ type: 'getLock', block: [value] });

describe('messages from clients', () => {
  it('[P1] every type of the protocol is recognised and unknown fields are dropped', () => {
    expect(client({ type: 'isSaveLock', syncChangesIndex: 4, extra: 1 })).toEqual({
      ok: true,
      message: { type: 'isSaveLock', syncChangesIndex: 4 },
    });
    for (const type of [
      'authChangesAck',
      'getMessages',
      'unSaveLock',
      'unLockDocument',
      'close',
      'forceSaveStart',
    ]) {
      expect(client({ type })).toEqual({ ok: true, message: { type } });
    }
  });

  it('[P2] an unknown type is told apart from a broken message', () => {
    expect(client({ type: 'versionHistory' })).toMatchObject({
      ok: false,
      reason: 'unknown-type',
      type: 'versionHistory',
    });
    expect(client({ type: 'constructor' })).toMatchObject({ ok: false, reason: 'unknown-type' });
    expect(client({ type: '__proto__' })).toMatchObject({ ok: false, reason: 'unknown-type' });
    for (const value of [null, 5, 'text', [], {}, { type: 5 }, { type: 'x'.repeat(65) }]) {
      expect(client(value)).toMatchObject({ ok: false, reason: 'invalid' });
    }
  });

  it('[P3] a wrong type of a field that matters is refused, naming the field and not its value', () => {
    expect(client({ type: 'saveChanges', changes: ['secret'] })).toEqual({
      ok: false,
      reason: 'invalid',
      type: 'saveChanges',
      detail: 'changes: invalid_type',
    });
    expect(client({ type: 'isSaveLock', syncChangesIndex: '4' }).ok).toBe(false);
    expect(client({ type: 'isSaveLock', syncChangesIndex: 1.5 }).ok).toBe(false);
    expect(client({ type: 'getLock', block: 'p1' }).ok).toBe(false);
    expect(client({ type: 'cursor', cursor: { x: 1 } }).ok).toBe(false);
    expect(client({ type: 'auth', user: 'ann' }).ok).toBe(false);
  });

  it('[P4] what clients leave out or send as null is accepted', () => {
    expect(client({ type: 'isSaveLock' }).ok).toBe(true);
    expect(
      client({ type: 'saveChanges', changes: '[]', deleteIndex: null, excelAdditionalInfo: null }).ok,
    ).toBe(true);
    for (const reSave of [false, 2, null])
      expect(client({ type: 'saveChanges', changes: '[]', reSave }).ok).toBe(true);
    expect(client({ type: 'auth' }).ok).toBe(true);
    expect(
      client({
        type: 'auth',
        token: 't',
        user: { id: 7, firstname: null, indexUser: -1 },
        sessionId: null,
        block: [],
      }),
    ).toMatchObject({ ok: true, message: { user: { id: '7' } } });
  });

  const odd = [true, {}, { a: 1 }, [], ['x']];
  /** A member of `auth`, as the reading has it. */
  function memberOf(path: string, value: unknown): unknown {
    const [outer, inner] = path.split('.') as [string, string?];
    const parsed = client({ type: 'auth', [outer]: inner ? { c: 'open', [inner]: value } : value });
    if (!parsed.ok) return parsed.detail;
    const read = (parsed.message as unknown as Record<string, unknown>)[outer];
    return inner ? (read as Record<string, unknown>)[inner] : read;
  }

  it.each([
    'lang',
    'coEditingMode',
    'user.username',
    'user.firstname',
    'user.lastname',
    'openCmd.title',
    'openCmd.format',
  ])('[P16] %s of a configuration says nothing where it is no text', (path) => {
    expect([memberOf(path, 'x'), memberOf(path, 42), memberOf(path, null)]).toEqual(['x', '42', null]);
    for (const value of [...odd, 'x'.repeat(10_000_000)]) expect(memberOf(path, value)).toBeUndefined();
  });

  it.each(['docid', 'documentCallbackUrl', 'user.id', 'openCmd.id', 'openCmd.url'])(
    '[P16] %s of a configuration may be a number, and is refused by name where it is no text',
    (path) => {
      expect([memberOf(path, 'x'), memberOf(path, 42), memberOf(path, null)]).toEqual(['x', '42', null]);
      for (const value of odd) expect(memberOf(path, value)).toBe(`${path}: invalid_type`);
      expect(memberOf(path, 'x'.repeat(10_000_000))).toBe(`${path}: too_big`);
    },
  );

  it('[P16] a mode that cannot be read is for viewing, and permissions may be PHP’s empty list', () => {
    expect(['view', true, false, 0, {}, ['edit']].map((mode) => memberOf('mode', mode))).toEqual([
      'view',
      'edit',
      undefined,
      '0',
      'view',
      'view',
    ]);
    expect(memberOf('permissions', [])).toEqual({});
    for (const value of ['edit', ['edit'], true, 5]) {
      expect(memberOf('permissions', value)).toBe('permissions: invalid_type');
    }
    expect(['20', 20, 0].map((seconds) => memberOf('quireStoreWithinS', seconds))).toEqual([20, 20, 0]);
    for (const seconds of ['-1', 1e9, {}, 'soon', true]) {
      expect(memberOf('quireStoreWithinS', seconds)).toMatch(/^quireStoreWithinS: /);
    }
  });

  it('[P5] blocks are ids, spreadsheet blocks with a null subType, slide blocks, or objects with a guid', () => {
    expect(block('2_31')).toMatchObject({ ok: true });
    const range = { c1: 0, r1: 0, c2: 1, r2: 1 };
    const cell = block({ sheetId: 's', type: 1, guid: 'g', rangeOrObjectId: range });
    expect(cell).toMatchObject({ ok: true, message: { block: [{ subType: null, rangeOrObjectId: range }] } });
    if (!cell.ok || cell.message.type !== 'getLock') throw new Error('expected a lock request');
    expect(isCellBlock(cell.message.block[0]!)).toBe(true);
    expect(lockKey(cell.message.block[0]!)).toBe('g');
    const slide = block({ type: 1, slideId: 's1', objId: 'o1', guid: 'o1' });
    if (!slide.ok || slide.message.type !== 'getLock') throw new Error('expected a lock request');
    expect(isSlideBlock(slide.message.block[0]!)).toBe(true);
    const pdf = block({ guid: 'p', page: 3 });
    expect(pdf).toMatchObject({ ok: true, message: { block: [{ guid: 'p', page: 3 }] } });
    if (!pdf.ok || pdf.message.type !== 'getLock') throw new Error('expected a lock request');
    expect(isSlideBlock(pdf.message.block[0]!)).toBe(false);
  });

  it('[P6] a block without a usable key is refused', () => {
    expect(block({ sheetId: 's', type: 1, guid: 'g', rangeOrObjectId: 'id' }).ok).toBe(false);
    expect(block({ sheetId: 's', type: 2, subType: 9, guid: 'g', rangeOrObjectId: 'id' }).ok).toBe(false);
    expect(block({ type: 2, val: 's' }).ok).toBe(false);
    expect(block('__proto__').ok).toBe(false);
    expect(block(5).ok).toBe(false);
    expect(client({ type: 'getLock', block: Array(10_001).fill('x') }).ok).toBe(false);
  });

  it('[P7] values of any shape are bounded in nesting', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = { a: deep };
    expect(client({ type: 'rpc', data: deep }).ok).toBe(false);
    expect(client({ type: 'auth', permissions: deep }).ok).toBe(false);
    expect(client({ type: 'auth', permissions: { edit: true, x: { y: [null] } } })).toMatchObject({
      ok: true,
      message: { permissions: { edit: true, x: { y: [null] } } },
    });
  });

  it('[P8] parsing never throws', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('auth', 'getLock', 'saveChanges', 'rpc', 'openDocument'),
        (value, type) => {
          client(value);
          client({ ...(typeof value === 'object' ? value : {}), type });
          client({ type, block: value, changes: value, message: value, user: value, data: value });
          parseServerMessage(value);
        },
      ),
    );
  });
});

describe('change lists', () => {
  it('[P9] a change list is the JSON text of an array of strings and nothing else', () => {
    expect(parseChangeList('["68;AgAAADEA","35;BgAAADIA"]')).toEqual(['68;AgAAADEA', '35;BgAAADIA']);
    expect(parseChangeList('[]')).toEqual([]);
    for (const bad of ['', '{', '{}', '[1]', 'null', '["a",null]', '"a"'])
      expect(parseChangeList(bad)).toBeNull();
  });
});

describe('messages from servers', () => {
  it('[P10] servers that add fields or leave out what does not apply are understood', () => {
    const reply = {
      type: 'auth',
      result: 1,
      sessionId: 's',
      indexUser: 1,
      locks: {},
      settings: { future: true },
    };
    expect(parseServerMessage(reply)).toMatchObject({ ok: true, message: { sessionId: 's' } });
    expect(parseServerMessage({ ...reply, locks: [] }).ok).toBe(true);
    expect(parseServerMessage({ type: 'drop', code: '', description: null }).ok).toBe(true);
    expect(parseServerMessage({ type: 'saveLock' }).ok).toBe(false);
  });
});
