import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange } from '../../model/word/change.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import { MemoryUnsentStore } from '../replica/memory-unsent-store.ts';
import type { FakeServerOptions } from '../testing/fake-server.ts';
import { type MemoryLink, MemoryNetwork } from '../testing/memory-link.ts';
import { TabStore } from '../testing/session-world.ts';
import { endOf } from '../testing/word-typing.ts';
import { WordWorld, wordDocumentText } from '../testing/word-world.ts';
import { localSteps } from './local-steps.ts';
import type { WordSession } from './word-session.ts';

type Action =
  | { do: 'deliver'; picks: number[] }
  | { do: 'type'; user: number; block: number; count: number }
  | { do: 'split' | 'bold' | 'delete'; user: number; at: number; size: number }
  | { do: 'cut'; user: number; late: number }
  | { do: 'crash' | 'reopen'; user: number }
  | { do: 'checkpoint'; at: number; state: 'sound' | 'damaged' | 'gone' }
  | { do: 'wait'; ms: number };

const userCount = 3;
const blocks = ['First block', 'Second block', 'Third'];
const user = fc.nat(userCount - 1);
const place = { user, at: fc.nat(), size: fc.nat(12) };
const harmless = [
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      picks: fc.array(fc.nat(50), { maxLength: 14 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      user,
      block: fc.nat(8),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('split' as const, 'bold' as const), ...place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cut' as const), user, late: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('crash' as const, 'reopen' as const), user }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('checkpoint' as const),
      at: fc.nat(),
      state: fc.constantFrom('sound' as const, 'sound' as const, 'damaged' as const, 'gone' as const),
    }),
  },
];
const deletion = {
  weight: 2,
  arbitrary: fc.record({ do: fc.constant('delete' as const), ...place }),
};

const promises = () => new Promise((resolve) => setImmediate(resolve));

interface Tab {
  session: WordSession;
  store: TabStore;
  opened: boolean;
  link: MemoryLink | null;
}

/** Users of one document whose tabs crash at any moment and are opened again. */
class Trial {
  readonly world: WordWorld;
  readonly store = new MemoryUnsentStore();
  readonly tabs: Tab[] = [];
  readonly tokens: string[] = [];
  /** Typed so shortly before a crash that they had left the page in no way. */
  readonly excused = new Set<string>();

  constructor(options: FakeServerOptions) {
    const network = new MemoryNetwork();
    this.world = new WordWorld(blocks, { ...options, defer: network.defer }, network);
    for (let index = 0; index < userCount; index++) this.openTab(index);
  }

  openTab(index: number, from?: WordSession): void {
    const tab: Tab = {
      session: null as never,
      store: from ? this.tabs[index]!.store : new TabStore(this.store),
      opened: false,
      link: null,
    };
    const dial = this.world.network.dial(this.world.server.accept);
    const options = {
      store: tab.store,
      transport: (...given: Parameters<typeof dial>) => {
        const transport = dial(...given);
        tab.link = this.world.network.links.at(-1)!;
        return transport;
      },
    };
    tab.session = from ? from.reopen(options) : this.world.session(`user${'abc'[index]}`, options);
    tab.session.open().then(
      () => {
        tab.opened = true;
      },
      () => undefined,
    );
    this.tabs[index] = tab;
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
        this.type(action.user, action.block, action.count);
        break;
      case 'split':
      case 'bold':
      case 'delete':
        this.change(action);
        break;
      case 'cut':
        this.tabs[action.user]!.link?.cut(action.late);
        break;
      case 'crash':
        await this.crash(action.user);
        break;
      case 'reopen':
        this.openTab(action.user, this.tabs[action.user]!.session);
        break;
      case 'checkpoint': {
        const { files, server } = this.world;
        this.world.makeCheckpoint(action.at % (server.log.length + 1));
        if (action.state === 'damaged') files.set(server.checkpoint!.url, '{}');
        if (action.state === 'gone') files.delete(server.checkpoint!.url);
        break;
      }
      case 'wait':
        this.world.clock.advance(action.ms);
        break;
    }
    await promises();
  }

  type(index: number, block: number, count: number): void {
    const { session, opened } = this.tabs[index]!;
    if (!opened) return;
    for (let at = 0; at < count; at++) {
      const token = `${'abc'[index]}${this.tokens.length};`;
      this.tokens.push(token);
      const end = endOf(session, block % session.state.doc.childCount);
      session.dispatch(session.state.tr.insertText(token, end));
    }
  }

  change({ do: what, user: index, at, size }: Extract<Action, { at: number; user: number }>): void {
    const { session, opened } = this.tabs[index]!;
    if (!opened) return;
    const { doc, tr, schema } = session.state;
    const block = at % doc.childCount;
    const end = endOf(session, block);
    const start = Math.max(end - doc.child(block).content.size, end - size);
    if (what === 'split') tr.split(end - (at % (doc.child(block).content.size + 1)));
    else if (what === 'bold') tr.addMark(start, end, schema.marks.bold!.create());
    else tr.delete(start, end);
    if (tr.docChanged) session.dispatch(tr);
  }

  async crash(index: number): Promise<void> {
    const { session, store, opened } = this.tabs[index]!;
    store.crash();
    session.client.abort();
    if (opened) {
      const records = await this.store.list(`user${'abc'[index]}`, 'doc', null);
      const journaled = records.flatMap(({ changes }) => changes).join();
      for (const { operation } of localSteps(session.state)) {
        const text = JSON.stringify(operation.toJSON());
        for (const token of this.tokens) {
          if (text.includes(`"${token}"`) && !journaled.includes(`"${token}"`)) this.excused.add(token);
        }
      }
    }
    this.openTab(index);
  }

  get converged(): boolean {
    return this.tabs.every(
      ({ session, opened }) =>
        opened &&
        session.client.status.connection === 'ready' &&
        session.client.status.saved &&
        localSteps(session.state).length === 0 &&
        session.client.status.acknowledgedIndex === this.world.server.log.length,
    );
  }

  async heal(): Promise<void> {
    for (let turn = 0; turn < 500; turn++) {
      await this.world.network.settle();
      if (this.converged || !this.world.clock.runNext()) break;
    }
    await this.world.pass(100);
  }

  /** The log has each token once; with deletions a token may be gone with its place. */
  async check(mayVanish: boolean): Promise<void> {
    expect(this.converged).toBe(true);
    let { doc } = parseWordDocument(JSON.parse(wordDocumentText(blocks)));
    const stored: string[] = [];
    for (const change of this.world.changes) {
      const after = applyChange(doc, change);
      expect(typeof after).not.toBe('string');
      if (typeof after !== 'string') doc = after;
      stored.push(...(change.match(/[abc]\d+;/g) ?? []));
    }
    expect(stored.filter((token, at) => stored.indexOf(token) !== at)).toEqual([]);
    const missing = this.tokens.filter((token) => !stored.includes(token) && !this.excused.has(token));
    if (!mayVanish) expect(missing).toEqual([]);
    for (const { session } of this.tabs) expect(session.state.doc.toJSON()).toEqual(doc.toJSON());
    for (let index = 0; index < userCount; index++) {
      const left = await this.store.list(`user${'abc'[index]}`, 'doc', null);
      expect(left.filter(({ unplaced }) => unplaced === null)).toEqual([]);
      if (mayVanish) continue;
      expect(left).toEqual([]);
    }
  }
}

async function survives(actions: Action[], options: FakeServerOptions): Promise<void> {
  const trial = new Trial(options);
  for (const action of actions) await trial.run(action);
  await trial.heal();
  await trial.check(actions.some((action) => action.do === 'delete'));
  for (const { session } of trial.tabs) session.client.abort();
}

describe('crashed tabs', () => {
  const options = fc.record({ refuseSaveLock: fc.boolean(), maxPartChars: fc.constantFrom(300, 1_572_864) });

  it('[JR1][CK10] whenever tabs crash and come back, everything typed is in the log exactly once', async () => {
    const actions = fc.array(fc.oneof(...harmless), { maxLength: 60, size: 'max' });
    await fc.assert(fc.asyncProperty(actions, options, survives), {
      numRuns: 100,
    });
  });

  it('[JR2][CK10] with deletions nothing is doubled and all replicas are equal', async () => {
    const actions = fc.array(fc.oneof(...harmless, deletion), { maxLength: 60, size: 'max' });
    await fc.assert(fc.asyncProperty(actions, options, survives), {
      numRuns: 100,
    });
  });
});
