import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/support/postgres.ts';
import { PostgresChangeLog } from './change-log.ts';
import { Documents } from './documents.ts';
import { ForcedSaves, type WantedSave } from './forced-saves.ts';
import { GroupCommit } from './group-commit.ts';
import { Outbox } from './outbox.ts';
import type { SaveRow } from './save-row.ts';

let database: TestDatabase;
let keys = 0;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

type Step =
  | { kind: 'append'; count: number }
  | { kind: 'rewrite'; back: number; count: number }
  | { kind: 'request' | 'begin' | 'finish' | 'make' | 'accept' | 'refuse' | 'giveUp' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rewrite' as const),
      back: fc.integer({ min: 0, max: 4 }),
      count: fc.integer({ min: 0, max: 2 }),
    }),
  },
  ...(['request', 'begin', 'finish', 'make', 'make', 'accept', 'accept', 'refuse', 'giveUp'] as const).map(
    (kind) => ({
      weight: 2,
      arbitrary: fc.constant({ kind }),
    }),
  ),
);

/** A document, its storage, and every change with the time by which it was there. */
class Model {
  readonly key = `unsaved-${++keys}`;
  readonly #documents = new Documents(database.pool);
  readonly #log = new PostgresChangeLog(database.pool, new GroupCommit(database.pool, 0));
  readonly #forced = new ForcedSaves(database.pool);
  readonly #outbox = new Outbox(database.pool, 'node', 60_000);
  #changes: { text: string; beforeMs: number }[] = [];
  #stored: string[] = [];
  /** When the log was last made shorter, which is a change as well. */
  #rewrittenMs = 0;
  #texts = new Map<string, string[]>();
  #begun: { save: WantedSave; texts: string[] } | null = null;
  #claimed: SaveRow[] = [];
  #names = 0;

  async open(): Promise<void> {
    await this.#documents.enter({
      key: this.key,
      editor: true,
      userId: 'ann',
      userName: 'Ann',
      callbackUrl: 'http://host.test/callback',
      baseUrl: 'http://quire.test',
      fileType: 'docx',
      title: 'a.docx',
      source: { url: null, vouched: false },
      storeWithinMs: 60_000,
    });
    const opened = { sourceHash: 'base', model: 'word', fileType: 'docx', editorsPresent: true } as const;
    await this.#documents.opened(this.key, opened);
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'append': {
        const batch = this.#batch(this.#changes.length, one.count);
        await this.#log.append({ key: this.key, batch });
        return this.#put(this.#changes.length, batch.changes, await this.#nowMs());
      }
      case 'rewrite': {
        const from = Math.max(0, this.#changes.length - one.back);
        const batch = one.count > 0 ? this.#batch(from, one.count) : null;
        const { key } = this;
        const expectedEnd = this.#changes.length;
        await this.#log.replaceFrom({ key, expectedEnd, fromIndex: from, by: 'ann1', batch });
        const atMs = await this.#nowMs();
        if (from < this.#changes.length) this.#rewrittenMs = atMs;
        return this.#put(from, batch?.changes ?? '[]', atMs);
      }
      case 'request':
        await this.#forced.request({ key: this.key, type: 2, initiator: null, userData: null });
        return;
      case 'begin':
        return this.#begin();
      case 'finish':
        return this.#finish();
      case 'make':
        await this.take({ kind: 'request' });
        await this.#begin();
        return this.#finish();
      default:
        return this.#answer(one.kind);
    }
  }

  /** The storage has it all, or lacks something for at least as long as is on record. */
  async check(): Promise<void> {
    const { rows } = await database.pool.query<{ since: Date | null; refused: Date | null }>(
      'SELECT unsaved_since AS since, refused_since AS refused FROM documents WHERE key = $1',
      [this.key],
    );
    const since = rows[0]!.since?.getTime() ?? null;
    const now = this.#changes.map(({ text }) => text);
    const same = this.#stored.length === now.length && this.#stored.every((text, at) => text === now[at]);
    if (!same) expect(since).not.toBeNull();
    const begins = now.findIndex((text, at) => text !== this.#stored[at]);
    const oldestMs = begins >= 0 ? this.#changes[begins]!.beforeMs : this.#rewrittenMs;
    if (!same) expect(since).toBeLessThanOrEqual(oldestMs);
  }

  async #begin(): Promise<void> {
    const save = await this.#forced.begin(this.key);
    this.#begun = save && { save, texts: this.#changes.slice(0, save.endIndex).map(({ text }) => text) };
  }

  async #finish(): Promise<void> {
    const begun = this.#begun;
    this.#begun = null;
    if (!begun) return;
    const result = { hash: `file ${begun.save.id}`, fileType: 'docx' };
    const done = await this.#forced.finish(begun.save, {
      result,
      changesHash: null,
      history: null,
      skipped: 0,
    });
    if (done) this.#texts.set(begun.save.id, begun.texts);
    else await this.#forced.renew(begun.save);
  }

  async #answer(kind: 'accept' | 'refuse' | 'giveUp'): Promise<void> {
    const due = await this.#outbox.claim(50);
    this.#claimed.push(...due.filter(({ key }) => key === this.key));
    const save = this.#claimed.shift();
    if (!save) return;
    if (kind === 'accept') {
      await this.#outbox.forcedDelivered(save);
      this.#stored = this.#texts.get(save.id) ?? this.#stored;
    } else if (kind === 'refuse') await this.#outbox.retryLater(save, 'refused', 0, new Date());
    else await this.#outbox.giveUp(save, 'refused');
    const { rows } = await database.pool.query('SELECT refused_since FROM documents WHERE key = $1', [
      this.key,
    ]);
    expect(rows[0].refused_since === null).toBe(kind === 'accept');
  }

  #batch(firstIndex: number, count: number) {
    const changes = Array.from({ length: count }, () => `change ${++this.#names}`);
    const author = { uniqueId: 'ann1', userId: 'ann', name: 'Ann' };
    const nextIndex = firstIndex + count;
    return {
      firstIndex,
      nextIndex,
      author,
      savedAtMs: Math.floor(Date.now() / 1000) * 1000,
      changes: JSON.stringify(changes),
    };
  }

  #put(from: number, changes: string, beforeMs: number): void {
    const texts = JSON.parse(changes) as string[];
    this.#changes = [...this.#changes.slice(0, from), ...texts.map((text) => ({ text, beforeMs }))];
  }

  async #nowMs(): Promise<number> {
    const { rows } = await database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    return rows[0]!.now.getTime();
  }
}

it('[SD1] what the storage lacks is on record for at least as long as it lacks it, whatever is done', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const model = new Model();
      await model.open();
      for (const one of steps) {
        await model.take(one);
        await model.check();
      }
    }),
    { numRuns: 60 },
  );
});
