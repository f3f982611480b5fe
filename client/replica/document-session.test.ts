import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineOperation, type LineSession, LineWorld, linesOf } from '../testing/line-kind.ts';
import { TabStore } from '../testing/session-world.ts';
import type { DocumentSession } from './document-session.ts';
import { MemoryUnsentStore } from './memory-unsent-store.ts';
import type { Recovered } from './unsent-changes.ts';

const set = (id: string, text: string): LineOperation => ({ set: id, text });
const put = (id: string, text: string, after: string | null): LineOperation => ({ put: { id, text }, after });

/** Everything that only a session knows: what pages may use that know no kind. */
const statusOf = ({ savingStatus, mode }: DocumentSession) => [mode, savingStatus.unsentCount];

/** A page that crashes: nothing more leaves it. */
async function crash(world: LineWorld, session: LineSession, tab: TabStore): Promise<void> {
  await world.pass(100);
  await world.pass(3_000);
  tab.crash();
  session.client.abort();
  await world.pass(50);
}

describe('a session in a document of a kind that it does not know', () => {
  it('[RP1] names the kind’s model, shows local changes at once, and puts those of others beneath them', async () => {
    const world = new LineWorld(['One', 'Two']);
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    const models = world.sent('auth').map((auth) => 'openCmd' in auth && auth.openCmd?.model);
    expect(models).toEqual(['lines', 'lines']);
    ann.dispatch([put('a', 'Ann', 'l1'), set('l2', 'Two of Ann')]);
    bob.dispatch([put('b', 'Bob', 'l1')]);
    bob.dispatch([set('l2', 'Two of Bob')]);
    expect(linesOf(bob)).toEqual(['One', 'Bob', 'Two of Bob']);
    expect(statusOf(bob)).toEqual(['fast', 2]);
    await world.pass(100);
    expect(linesOf(ann)).toEqual(linesOf(bob));
    // What came into the log last stands nearest to the line that both were put behind.
    expect(linesOf(ann)).toEqual(['One', 'Bob', 'Ann', 'Two of Bob']);
    expect(world.changes).toHaveLength(4);
    expect(statusOf(bob)).toEqual(['fast', 0]);
  });

  it('[RP2] takes back what the kind does not allow, and skips it where it is in the log all the same', async () => {
    const world = new LineWorld(['One', 'Two']);
    const tooLong = 'x'.repeat(101);
    const forged = { docid: 'doc', time: world.server.time(), user: 'eve1', useridoriginal: 'eve' };
    for (const text of ['no change', `eve#0 ${JSON.stringify(set('l1', tooLong))}`]) {
      world.server.log.push({ ...forged, change: JSON.stringify(text) });
    }
    const refused: string[][] = [];
    const ann = await world.open('ann', { onRefused: (...said) => refused.push(said) });
    ann.dispatch([set('l1', 'Fine')]);
    ann.dispatch([set('l2', tooLong)]);
    ann.dispatch([put('a', 'More', 'l2')]);
    expect(linesOf(ann)).toEqual(['Fine', tooLong, 'More']);
    await world.pass(100);
    expect(linesOf(ann)).toEqual(['Fine', 'Two', 'More']);
    expect(refused).toEqual([['too-long', tooLong]]);
    expect(linesOf(await world.open('bob'))).toEqual(linesOf(ann));
    expect(world.changes).toHaveLength(4);
  });

  it('[RP1] goes on after a lost connection, with what others did meanwhile beneath what is unsent', async () => {
    const world = new LineWorld(['One', 'Two']);
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    world.network.links[0]!.cut();
    ann.dispatch([set('l1', 'Ann'), put('a', 'unsent', 'l2')]);
    bob.dispatch([{ drop: 'l2' }]);
    await world.network.settle();
    expect(linesOf(ann)).toEqual(['Ann', 'Two', 'unsent']);
    await world.pass(10_000);
    // The line is gone that the other one was put behind.
    expect([linesOf(ann), linesOf(bob)]).toEqual([['Ann'], ['Ann']]);
    expect(ann.savingStatus).toMatchObject({ unsentCount: 0, connection: 'online' });
  });

  it('[RP3] has the kind place what a crashed tab left unsent, and tells the text of what has no place', async () => {
    const world = new LineWorld(['One', 'Two']);
    const store = new MemoryUnsentStore();
    const tab = new TabStore(store);
    const ann = await world.open('ann', { store: tab, transport: world.dialOnce() });
    const bob = await world.open('bob');
    world.network.links[0]!.cut();
    ann.dispatch([set('l1', 'One of Ann'), set('l2', 'nowhere')]);
    bob.dispatch([{ drop: 'l2' }]);
    await crash(world, ann, tab);
    const found: Recovered[] = [];
    const again = await world.open('ann', { store, onRecovered: (one) => found.push(one) });
    await world.pass(100);
    expect(found).toMatchObject([{ applied: 1, lost: 1, text: 'nowhere' }]);
    expect([linesOf(again), linesOf(bob)]).toEqual([['One of Ann'], ['One of Ann']]);
    await found[0]!.discard();
    expect(await store.list('ann', 'doc', null)).toEqual([]);
  });

  it('[RP3] has the kind align them with another version of the file, by the snapshot that was kept', async () => {
    for (const [texts, expected, lost] of [
      [['One', 'New', 'Two'], ['One', 'New', 'Two of Ann', 'Three'], ''],
      [['Else'], ['Else'], 'Two of Ann\nThree'],
    ] as const) {
      const world = new LineWorld(['One', 'Two']);
      const store = new MemoryUnsentStore();
      const tab = new TabStore(store);
      const ann = await world.open('ann', { store: tab, file: 'file', transport: world.dialOnce() });
      world.network.links[0]!.cut();
      ann.dispatch([set('l2', 'Two of Ann'), put('a', 'Three', 'l2')]);
      await crash(world, ann, tab);
      const next = new LineWorld(texts, 'm');
      const found: Recovered[] = [];
      const onRecovered = (one: Recovered) => found.push(one);
      const again = await next.open('ann', { key: 'doc-2', file: 'file', store, onRecovered });
      await next.pass(100);
      expect(linesOf(again)).toEqual(expected);
      expect(found.map(({ text }) => text)).toEqual([lost]);
    }
  });

  it('[RP3] hands what is unsent to the session that is made by `reopen`', async () => {
    const world = new LineWorld(['One']);
    const ann = await world.open('ann', { editingMode: 'strict' });
    ann.dispatch([set('l1', 'Ann')]);
    const again = ann.reopen();
    await world.opened(again);
    expect(linesOf(again)).toEqual(['Ann']);
    expect([again.mode, again.clientId === ann.clientId]).toEqual(['strict', false]);
  });

  it('[RP4] in strict mode asks for the elements that the kind says are touched, and shows others’ changes late', async () => {
    const world = new LineWorld(['One', 'Two']);
    const refused: unknown[] = [];
    const ann = await world.open('ann', { editingMode: 'strict' });
    const bob = await world.open('bob', {
      editingMode: 'strict',
      onLockRefused: (id, { user }, text) => refused.push([id, user, text]),
    });
    ann.dispatch([set('l1', 'Ann'), put('a', 'new', 'l2')]);
    bob.dispatch([set('l1', 'Bob')]);
    bob.dispatch([set('l2', 'Bob too')]);
    await world.pass(0);
    expect([...ann.ownLocks, ...bob.ownLocks]).toEqual(['l1', 'l2']);
    expect(linesOf(bob)).toEqual(['One', 'Bob too']);
    bob.dispatch([{ drop: 'l1' }]);
    const { userId } = ann.client;
    expect(refused).toEqual([
      ['l1', userId, 'Bob'],
      ['l1', userId, ''],
    ]);
    const saving = ann.save();
    await world.pass(100);
    await saving;
    expect(linesOf(bob)).toEqual(['One', 'Bob too']);
    const savingToo = bob.save();
    await world.pass(100);
    await savingToo;
    ann.setMode('fast');
    expect(linesOf(bob)).toEqual(['Ann', 'Bob too', 'new']);
    expect(linesOf(ann)).toEqual(linesOf(bob));
    expect([...world.server.locks]).toEqual([]);
  });

  it('[RP5] begins with a checkpoint of the kind, or with the whole log where the kind cannot read it', async () => {
    for (const [text, changes] of [
      [null, 1],
      ['damaged', 3],
    ] as const) {
      const world = new LineWorld(['One']);
      const ann = await world.open('ann');
      ann.dispatch([set('l1', 'Two')]);
      await world.pass(100);
      world.makeCheckpoint(ann.shown.document, text);
      ann.dispatch([put('a', 'Three', 'l1')]);
      await world.pass(100);
      const bob = world.session('bob');
      let given = 0;
      bob.client.on('message', (message) => {
        if (message.type === 'authChanges') given += message.changes.length;
      });
      const opening = bob.open();
      await world.pass(2_000);
      await world.pass(2_000);
      await opening;
      expect([linesOf(bob), given]).toEqual([['Two', 'Three'], changes]);
    }
  });

  it('[RP1] comes to the same document everywhere, whatever is done, delayed and lost', async () => {
    const line = fc.nat(7);
    const act = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ user: fc.nat(2), line, kind: fc.constantFrom('put', 'set', 'drop') }),
      },
      { weight: 4, arbitrary: fc.record({ deliver: fc.array(fc.nat(40), { maxLength: 10 }) }) },
      { weight: 1, arbitrary: fc.record({ cut: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ waitMs: fc.integer({ min: 1, max: 3_000 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40, size: 'max' }), async (acts) => {
        const world = new LineWorld(['One', 'Two', 'Three']);
        const people = [await world.open('ann'), await world.open('bob'), await world.open('cem')];
        for (const [at, one] of acts.entries()) {
          if ('user' in one) {
            const session = people[one.user]!;
            const { document } = session.shown;
            const id = document[one.line % Math.max(1, document.length)]?.id ?? null;
            if (one.kind === 'put') session.dispatch([put(`n${at}`, `${at}`, id)]);
            else if (id !== null) session.dispatch([one.kind === 'set' ? set(id, `${at}`) : { drop: id }]);
          } else if ('deliver' in one) {
            for (const pick of one.deliver) world.network.deliverOne(pick);
          } else if ('cut' in one) world.network.links.at(-1 - one.cut)?.cut();
          else world.clock.advance(one.waitMs);
          await new Promise((resolve) => setImmediate(resolve));
        }
        const isDone = () =>
          people.every(({ client, savingStatus }) => {
            const { connection, acknowledgedIndex } = client.status;
            const isAll = acknowledgedIndex === world.server.log.length && savingStatus.unsentCount === 0;
            return connection === 'ready' && isAll;
          });
        for (let turn = 0; turn < 300; turn++) {
          await world.network.settle();
          if (isDone() || !world.clock.runNext()) break;
        }
        await world.pass(100);
        const late = await world.open('zoe');
        for (const session of people) expect(session.shown.document).toEqual(late.shown.document);
        for (const session of [...people, late]) session.client.abort();
      }),
      { numRuns: 20 },
    );
  });
});
