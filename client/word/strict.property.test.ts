import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange } from '../../model/word/change.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import type { Lock } from '../protocol/index.ts';
import { type MemoryLink, MemoryNetwork } from '../testing/memory-link.ts';
import { endOf, ids, texts, type } from '../testing/word-typing.ts';
import { WordWorld, wordDocumentText } from '../testing/word-world.ts';
import { localSteps } from './local-steps.ts';
import type { EditingMode, WordSession } from './word-session.ts';

type Action =
  | { do: 'deliver'; picks: number[] }
  | { do: 'type'; user: number; block: number }
  | { do: 'split'; user: number; block: number }
  | { do: 'save' | 'switch'; user: number }
  | { do: 'cut'; user: number; late: number }
  | { do: 'wait'; ms: number };

const modes: readonly EditingMode[] = ['strict', 'strict', 'fast'];
const blocks = ['First block', 'Second block', 'Third', 'Fourth'];
const user = fc.nat(modes.length - 1);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      picks: fc.array(fc.nat(50), { maxLength: 14 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('type' as const), user, block: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('split' as const), user, block: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('save' as const), user }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), user }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), user, late: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
  },
);

const promises = () => new Promise((resolve) => setImmediate(resolve));

interface Person {
  session: WordSession;
  link: MemoryLink | null;
  /** Text that was taken back because somebody else held the block. */
  takenBack: string;
}

/** Strict and fast people in one document on a network that breaks and delays. */
class Trial {
  readonly world: WordWorld;
  readonly people: Person[] = [];
  readonly tokens: string[] = [];
  readonly failures: unknown[] = [];

  constructor() {
    const network = new MemoryNetwork();
    this.world = new WordWorld(blocks, { defer: network.defer }, network);
  }

  async begin(): Promise<void> {
    for (const [index, editingMode] of modes.entries()) {
      const person: Person = { session: null as never, link: null, takenBack: '' };
      const dial = this.world.network.dial(this.world.server.accept);
      person.session = await this.world.open(`user${'abc'[index]}`, {
        editingMode,
        transport: (...given) => {
          const transport = dial(...given);
          person.link = this.world.network.links.at(-1)!;
          return transport;
        },
        onLockRefused: (_blockId, _holder, text) => {
          person.takenBack += text;
        },
      });
      this.people.push(person);
    }
  }

  async run(action: Action): Promise<void> {
    switch (action.do) {
      case 'deliver':
        for (const pick of action.picks) {
          this.world.network.deliverOne(pick);
          await Promise.resolve();
        }
        break;
      case 'type':
        this.type(action.user, action.block);
        break;
      case 'split': {
        const { session } = this.people[action.user]!;
        const end = endOf(session, action.block % session.state.doc.childCount);
        session.dispatch(session.state.tr.split(end));
        break;
      }
      case 'save':
        this.save(action.user);
        break;
      case 'switch': {
        const { session } = this.people[action.user]!;
        session.setMode(session.mode === 'fast' ? 'strict' : 'fast');
        break;
      }
      case 'cut':
        this.people[action.user]!.link?.cut(action.late);
        break;
      case 'wait':
        this.world.clock.advance(action.ms);
        break;
    }
    await promises();
    this.checkLocks();
  }

  type(index: number, block: number): void {
    const { session } = this.people[index]!;
    const token = `${'abc'[index]}${this.tokens.length};`;
    const before = localSteps(session.state).length;
    const end = endOf(session, block % session.state.doc.childCount);
    session.dispatch(session.state.tr.insertText(token, end));
    // A block that somebody else is known to hold takes nothing.
    if (localSteps(session.state).length > before) this.tokens.push(token);
  }

  save(index: number): void {
    this.people[index]!.session.save().catch((error: unknown) => this.failures.push(error));
  }

  /** No block is held by two of those who are in session. */
  checkLocks(): void {
    const users = new Set(this.world.server.connections.map((connection) => connection.user));
    const held = this.people
      .filter(({ session: { client } }) => client.status.connection === 'ready' && users.has(client.userId))
      .flatMap(({ session }) => [...session.ownLocks]);
    expect(held.filter((id, at) => held.indexOf(id) !== at)).toEqual([]);
  }

  async heal(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < modes.length; index++) this.save(index);
      for (let turn = 0; turn < 300; turn++) {
        await this.world.network.settle();
        if (this.people.every(({ session }) => this.isDone(session)) || !this.world.clock.runNext()) break;
      }
    }
    // The one who saved first has not shown what the others saved after it.
    for (const { session } of this.people) session.setMode('fast');
    await this.world.pass(100);
  }

  isDone(session: WordSession): boolean {
    const { connection, saved, acknowledgedIndex } = session.client.status;
    const isAll = saved && acknowledgedIndex === this.world.server.log.length;
    return connection === 'ready' && isAll && localSteps(session.state).length === 0;
  }

  check(): void {
    expect(this.failures).toEqual([]);
    let { doc } = parseWordDocument(JSON.parse(wordDocumentText(blocks)));
    const stored: string[] = [];
    for (const change of this.world.changes) {
      const after = applyChange(doc, change);
      expect(typeof after).not.toBe('string');
      if (typeof after !== 'string') doc = after;
      stored.push(...(change.match(/[abc]\d+;/g) ?? []));
    }
    for (const { session } of this.people) expect(session.state.doc.toJSON()).toEqual(doc.toJSON());
    expect(stored.filter((token, at) => stored.indexOf(token) !== at)).toEqual([]);
    const takenBack = this.people.map((person) => person.takenBack).join('');
    const missing = this.tokens.filter((token) => !stored.includes(token) && !takenBack.includes(token));
    expect(missing).toEqual([]);
    expect(this.tokens.filter((token) => stored.includes(token) && takenBack.includes(token))).toEqual([]);
    expect([...this.world.server.locks.values()]).toEqual([]);
  }
}

async function converges(actions: Action[]): Promise<void> {
  const trial = new Trial();
  await trial.begin();
  for (const action of actions) await trial.run(action);
  await trial.heal();
  trial.check();
  for (const { session } of trial.people) session.client.abort();
}

describe('strict and fast people in one document', () => {
  it('[SM1] converge; every change is stored once or was taken back with its text; no lock is left', async () => {
    await fc.assert(fc.asyncProperty(fc.array(action, { maxLength: 60, size: 'max' }), converges), {
      numRuns: 60,
    });
  });

  it('[SM3] a block that somebody holds is closed to others, and what was typed before they knew is taken back', async () => {
    const world = new WordWorld(['One', 'Two']);
    const refused: unknown[] = [];
    const onLockRefused = (block: string, holder: Lock, text: string) =>
      refused.push([block, holder.user, text]);
    const ann = await world.open('ann', { editingMode: 'strict' });
    const bob = await world.open('bob', { editingMode: 'strict', onLockRefused });
    type(ann, 0, 'A');
    type(bob, 0, 'B');
    type(bob, 1, 'B');
    await world.pass(0);
    expect(texts(bob)).toEqual(['One', 'TwoB']);
    expect([...ann.ownLocks]).toEqual(['p1']);
    expect([...bob.locks.keys()]).toEqual(['p1']);
    type(bob, 0, 'C');
    expect(texts(bob)).toEqual(['One', 'TwoB']);
    const holder = ann.client.userId;
    expect(refused).toEqual([
      ['p1', holder, 'B'],
      ['p1', holder, ''],
    ]);
    const saved = ann.save();
    await world.pass(100);
    await saved;
    await world.pass(100);
    expect([...bob.locks.keys()]).toEqual([]);
    type(bob, 0, 'C');
    await world.pass(0);
    expect([...bob.ownLocks].sort()).toEqual(['p1', 'p2']);
  });

  it('[SM4] in fast mode nobody takes a lock or waits for one', async () => {
    const world = new WordWorld(['One']);
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    type(ann, 0, 'A');
    type(bob, 0, 'B');
    await world.pass(100);
    expect(world.sent('getLock')).toEqual([]);
    expect(texts(ann)).toEqual(texts(bob));
    expect(texts(ann)[0]).toHaveLength(5);
  });

  it('[SM5] locks are kept while something unsent touches a block, and given back with the save of it', async () => {
    const world = new WordWorld(['One', 'Two']);
    const ann = await world.open('ann', { editingMode: 'strict' });
    type(ann, 0, 'A');
    await world.pass(0);
    const saved = ann.save();
    while (ann.savingStatus.unacknowledgedCount === 0) await world.step();
    type(ann, 0, 'B');
    await world.pass(100);
    await saved;
    await world.pass(100);
    expect(texts(ann)).toEqual(['OneAB', 'Two']);
    expect([...world.server.locks.keys()]).toEqual(['p1']);
    expect(ann.savingStatus.unsentCount).toBe(1);
    ann.setMode('fast');
    await world.pass(100);
    expect([...world.server.locks.keys()]).toEqual([]);
    expect(ann.savingStatus.unsentCount).toBe(0);
  });

  it('[SM6] new paragraphs get ids of their client, once each; what was moved or restored keeps its own', async () => {
    const world = new WordWorld(['One two', 'Three']);
    const ann = await world.open('ann', { clientId: 'tab-1' });
    ann.dispatch(ann.state.tr.split(4));
    expect(ids(ann)).toEqual(['p1', 'tab-1-1', 'p2']);
    expect(ann.state.doc.child(1).attrs.origin).toBe('p1');
    // Pasted: the same paragraph again, and one without an id.
    const { doc, schema, tr } = ann.state;
    ann.dispatch(tr.insert(doc.content.size, [doc.child(2), schema.nodes.paragraph!.create()]));
    expect(ids(ann)).toEqual(['p1', 'tab-1-1', 'p2', 'tab-1-2', 'tab-1-3']);
    // Moved to the end.
    const moved = ann.state.doc.child(0);
    const move = ann.state.tr.delete(0, moved.nodeSize);
    ann.dispatch(move.insert(move.doc.content.size, moved));
    expect(ids(ann)).toEqual(['tab-1-1', 'p2', 'tab-1-2', 'tab-1-3', 'p1']);
    // Deleted, and back with another change.
    const gone = ann.state.doc.child(1);
    const at = ann.state.doc.child(0).nodeSize;
    ann.dispatch(ann.state.tr.delete(at, at + gone.nodeSize));
    ann.dispatch(ann.state.tr.insert(at, gone));
    expect(ids(ann)[1]).toBe('p2');
    await world.pass(100);
    expect(new Set(ids(ann)).size).toBe(5);
  });

  it('[SM2] others’ changes are received but not shown before the save', async () => {
    const world = new WordWorld(['One', 'Two']);
    const ann = await world.open('ann', { editingMode: 'strict' });
    const bob = await world.open('bob');
    bob.dispatch(bob.state.tr.insertText('!', endOf(bob, 1)));
    await world.pass(100);
    expect(ann.client.status.acknowledgedIndex).toBe(1);
    expect(texts(ann)).toEqual(['One', 'Two']);
    ann.dispatch(ann.state.tr.insertText('?', endOf(ann, 0)));
    await world.pass(100);
    expect(texts(bob)).toEqual(['One', 'Two!']);
    const saved = ann.save();
    await world.pass(100);
    await saved;
    await world.pass(100);
    expect(texts(ann)).toEqual(['One?', 'Two!']);
    expect(texts(bob)).toEqual(['One?', 'Two!']);
  });
});
