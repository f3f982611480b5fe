import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClientMessage, clientSchemas, parseClientMessage } from '../../../../client/protocol/index.ts';
import type { Member } from '../member.ts';
import type { OpenDocument } from '../open-document.ts';
import { commandRights } from './command-rights.ts';
import { costOf, handled, messageRights } from './message-rights.ts';
import { printedRights } from './printed-rights.ts';
import { allHold, type Condition } from './standing.ts';

const security = path.join(import.meta.dirname, '../../../../docs/security.md');

const member = (fields: Partial<Member> & { may?: readonly string[] } = {}) =>
  ({
    state: 'active',
    view: false,
    chat: true,
    isShutOut: false,
    nameIsFixed: false,
    author: { stamp: fields.may && { may: fields.may } },
    peer: { id: 'c1', dismiss: () => undefined, send: () => undefined },
    ...fields,
  }) as unknown as Member;

const document = (isOpen = true) =>
  ({
    isOpen,
    mayChange: (one: Member) => one.state === 'active' && !one.view && !one.isShutOut,
  }) as unknown as OpenDocument;

describe('rights of messages', () => {
  it('[AT22] each message, command and call has a row, which docs/security.md prints', async () => {
    expect(Object.keys(messageRights).sort()).toEqual(Object.keys(clientSchemas).sort());
    expect(await readFile(security, 'utf8')).toContain(printedRights());
  });

  it('[AT22] each condition is judged by what the server knows of a person and a document', () => {
    const cases: [Condition, Member, boolean][] = [
      ['isIn', member(), true],
      ...(['waiting', 'joining', 'closed'] as const).map(
        (state) => ['isIn', member({ state }), false] as [Condition, Member, boolean],
      ),
      ['seesContent', member({ isShutOut: true }), false],
      ['isEditor', member({ view: true }), false],
      ['isEditor', member({ state: 'closed' }), false],
      ['isEditor', member({ state: 'waiting' }), true],
      ['mayChange', member({ state: 'waiting' }), false],
      ['mayChat', member({ chat: false }), false],
      ['mayAddPictures', member({ may: ['comment'] }), false],
      ['mayAddPictures', member({ may: ['review'] }), true],
      ['mayAddPictures', member(), true],
      ['mayFillIn', member({ may: ['review', 'comment'] }), false],
      ['mayFillIn', member({ may: ['fill'] }), true],
      ['mayFillIn', member(), true],
      ['mayBeRenamed', member({ nameIsFixed: true }), false],
    ];
    for (const [condition, one, holds] of cases)
      expect([condition, one, allHold([condition], { member: one, document: document() })]).toEqual([
        condition,
        one,
        holds,
      ]);
    expect(allHold(['isOpen'], { member: member(), document: document(false) })).toBe(false);
    expect(allHold(commandRights.imgurls.needs, { member: member(), document: document() })).toBe(true);
  });

  it('[AT22] what may not be sent is met as its row says, and not handled', async () => {
    const met = async (message: ClientMessage, fields: Partial<Member>) => {
      const seen: string[] = [];
      const peer = {
        id: 'c1',
        dismiss: () => seen.push('dismissed'),
        send: ({ json }: { json: string }) => seen.push(json),
      } as unknown as Member['peer'];
      const standing = { member: member({ ...fields, peer }), document: document() };
      await handled(message, standing, () => void seen.push('handled'));
      return seen;
    };
    expect(await met({ type: 'getLock', block: ['p'] }, {})).toEqual(['handled']);
    expect(await met({ type: 'getLock', block: ['p'] }, { view: true })).toEqual(['dismissed']);
    expect(await met({ type: 'cursor', cursor: 'x' }, { state: 'waiting' })).toEqual([]);
    expect(await met({ type: 'message', message: 'x' }, { state: 'closed' })).toEqual([]);
    expect(await met({ type: 'getMessages' }, { chat: false })).toEqual(['{"type":"message"}']);
    expect((await met({ type: 'forceSaveStart' }, { view: true }))[0]).toContain('"type":"forceSaveStart"');
    expect(await met({ type: 'unLockDocument', unlock: true }, { view: true })).toEqual([]);
  });

  it('[AT22] the largest honest message of each type is not too large', () => {
    const text = (length: number) => '"'.repeat(length);
    const largest: Record<string, unknown>[] = [
      { type: 'message', message: text(65_536) },
      { type: 'cursor', cursor: '\u0001'.repeat(65_536) },
      { type: 'clientLog', level: text(1_024), msg: '\u0001'.repeat(65_536) },
      { type: 'isSaveLock', syncChangesIndex: 2 ** 40 },
      { type: 'unLockDocument', isSave: true, unlock: true, deleteIndex: 2 ** 40, releaseLocks: true },
    ];
    for (const one of largest) {
      const parsed = parseClientMessage(one);
      expect(parsed.ok).toBe(true);
      const { mostCharacters } = messageRights[one.type as ClientMessage['type']];
      expect(JSON.stringify(one).length).toBeLessThanOrEqual(mostCharacters as number);
    }
  });

  it('[GW20] what editors send all day costs a small part of the default budget, pastes and pictures a burst of it', () => {
    const perSecond = 20;
    const asking = 25 * costOf({ type: 'isSaveLock', syncChangesIndex: 1 }, 60, 100);
    const pointing = 20 * costOf({ type: 'cursor', cursor: 'x' }, 100, 100);
    const save = (characters: number) =>
      costOf({ type: 'saveChanges', changes: 'x'.repeat(characters) }, characters, 100);
    const saving = 10 * save(3_000);
    expect(asking + pointing + saving).toBeLessThan(perSecond);
    const paste = 10 * save(1_572_864);
    const locks = costOf({ type: 'getLock', block: Array(3_000).fill('p') }, 60_000, 100);
    expect(paste + locks).toBeLessThan(25 * perSecond);
  });

  it('[RS18] cursors are no activity and locks are', () => {
    expect(messageRights.cursor.isActivity({ type: 'cursor', cursor: '1' })).toBe(false);
    expect(messageRights.getLock.isActivity({ type: 'getLock', block: ['p1'] })).toBe(true);
    expect(messageRights.saveChanges.isActivity({ type: 'saveChanges', changes: '[]' })).toBe(false);
  });
});
