import { nextTurn } from '../platform/json-in-turns/turn.ts';
import { utf8InTurns } from '../platform/json-in-turns/utf8.ts';
import { Mutex } from '../platform/keyed-mutex.ts';
import type { Append, AppendResult, Author } from '../platform/ports/change-log.ts';
import { CommitWindow } from './commit-window.ts';
import type { Sql } from './pool.ts';

/** Fields of one column travel in one text parameter, separated by this character, which JSON text never holds raw. */
const separator = '\u001e';

/** A flush carries at most this much change text, so that one statement stays a bounded piece of work. */
const flushBytes = 4_000_000;

/** A batch of more text than this is appended beside the others, by a statement of its own: it takes the database long. */
const largeBytes = 262_144;

/**
 * SQL: the fields of a parameter. The SELECT keeps their number from the planner, which would rather scan all documents
 * than look up many of them by key where the table is partitioned.
 */
const fieldsIn = (parameter: number) => `string_to_array((SELECT $${parameter}::text), E'\\x1e')`;

/**
 * Appends any number of batches, at most one per document, and returns the positions of those that fitted. The
 * statement is the same for two batches and for a thousand, so the server prepares it once. A document whose log does
 * not end where its batch begins is not moved, and its batch is not stored: the others commit. Documents are found by
 * their keys, never by the index of those that are open.
 *
 * The limit, which leaves nothing out, lets the planner expect a single batch: for ten it would scan the whole table as long
 * as that is small, with all the versions of rows that saves leave there. What is sent is cast after the documents are found, since
 * it may be looked through once for each of them.
 */
const appendMany = `
  WITH moved AS (
    UPDATE documents SET next_index = input.next_index::int, unsaved_since = coalesce(unsaved_since, now())
    FROM (
      SELECT * FROM unnest(${[1, 2, 3, 4, 5, 6].map(fieldsIn).join(', ')})
        WITH ORDINALITY AS fields (key, first_index, next_index, author, saved_at, changes, position)
      LIMIT (SELECT $7::int)
    ) AS input
    WHERE documents.key = input.key AND documents.next_index = input.first_index::int AND documents.state || '' = 'open'
    RETURNING input.key, input.first_index::int, input.next_index::int, input.author::jsonb AS author,
              to_timestamp(input.saved_at::float8 / 1000) AS saved_at, input.changes, input.position
  ), stored AS (
    INSERT INTO batches (key, first_index, next_index, unique_id, user_id, user_name, stamp, saved_at, changes)
    SELECT key, first_index, next_index, author->>0, author->>1, author->>2, author->3, saved_at, changes
    FROM moved
  )
  SELECT position::int FROM moved`;

/**
 * The same for one batch, for about half of the work: most commits are of one, unless many people save at once. Its
 * count of rows says whether the batch fitted.
 */
const appendOne = `
  WITH moved AS (
    UPDATE documents SET next_index = $3, unsaved_since = coalesce(unsaved_since, now())
    WHERE key = $1 AND next_index = $2 AND state || '' = 'open'
    RETURNING 1
  )
  INSERT INTO batches (key, first_index, next_index, unique_id, user_id, user_name, stamp, saved_at, changes)
  SELECT $1, $2, $3, $4, $5, $6, $7::jsonb, to_timestamp($8::float8 / 1000), $9 FROM moved`;

const authorField = ({ uniqueId, userId, name, stamp }: Author): string =>
  JSON.stringify(stamp ? [uniqueId, userId, name, stamp] : [uniqueId, userId, name]);

const endOfLog = 'SELECT next_index, state FROM documents WHERE key = $1';

interface Waiting {
  append: Append;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

/** What a flush did, for metrics. */
type FlushListener = (batches: number, elapsedMs: number) => void;

/**
 * Appends that arrive together are committed together: one statement, one WAL flush. While a flush runs, the next one
 * fills; where batches come in close succession, the first of a flush waits up to `windowMs` for others. Large ones go beside them,
 * one at a time, and nobody whose batch is small waits for them.
 *
 * Invariant: a document has at most one batch in a flush (the caller awaits its append before the next).
 */
export class GroupCommit {
  readonly #pool: Sql;
  readonly #window: CommitWindow;
  readonly #onFlush: FlushListener;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #flushing: Promise<void> | null = null;
  readonly #large = new Mutex();

  constructor(pool: Sql, windowMs: number, onFlush: FlushListener = () => undefined) {
    this.#pool = pool;
    this.#window = new CommitWindow(windowMs);
    this.#onFlush = onFlush;
  }

  append(append: Append): Promise<AppendResult> {
    if (append.batch.changes.length > largeBytes) return this.#large.run(() => this.#commitLarge(append));
    this.#window.arrived(performance.now());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ append, resolve, reject });
      if (!this.#flushing) this.#schedule();
    });
  }

  /** Resolves when everything that was added before has been committed or refused. */
  async drained(): Promise<void> {
    await this.#large.run(async () => undefined);
    while (this.#waiting.length > 0 || this.#flushing !== null) {
      await (this.#flushing ?? new Promise((resolve) => setImmediate(resolve)));
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const start = () => {
      this.#scheduled = false;
      this.#flushing = this.#flush().finally(() => {
        this.#flushing = null;
        if (this.#waiting.length > 0) this.#schedule();
      });
    };
    const { waitMs } = this.#window;
    if (waitMs > 0) setTimeout(start, waitMs);
    else setImmediate(start);
  }

  async #commitLarge(append: Append): Promise<AppendResult> {
    const startedAt = performance.now();
    const conflicts = await this.#commit([append]);
    this.#onFlush(1, performance.now() - startedAt);
    return conflicts.get(1) ?? { kind: 'appended' };
  }

  async #flush(): Promise<void> {
    const group = this.#takeGroup();
    const startedAt = performance.now();
    try {
      const conflicts = await this.#commit(group.map((waiting) => waiting.append));
      group.forEach((waiting, position) => {
        waiting.resolve(conflicts.get(position + 1) ?? { kind: 'appended' });
      });
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error);
      else await this.#oneByOne(group);
    }
    this.#onFlush(group.length, performance.now() - startedAt);
  }

  /**
   * A whole flush failed: the server may be unable to store one of the batches, or two nodes locked the same documents in
   * another order. Each batch is tried again alone.
   */
  async #oneByOne(group: readonly Waiting[]): Promise<void> {
    for (const waiting of group) {
      try {
        const conflicts = await this.#commit([waiting.append]);
        waiting.resolve(conflicts.get(1) ?? { kind: 'appended' });
      } catch (error) {
        waiting.reject(error);
      }
    }
  }

  #takeGroup(): Waiting[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#waiting.length && (count === 0 || bytes < flushBytes)) {
      bytes += this.#waiting[count]!.append.batch.changes.length;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Commits the batches that fit. Resolves with the conflicts, by position from 1. */
  async #commit(appends: readonly Append[]): Promise<Map<number, AppendResult>> {
    const fitted =
      appends.length === 1 ? await this.#commitOne(appends[0]!) : await this.#commitMany(appends);
    const conflicts = new Map<number, AppendResult>();
    if (fitted.size === appends.length) return conflicts;
    for (const [index, { key }] of appends.entries()) {
      if (!fitted.has(index + 1)) conflicts.set(index + 1, await this.#conflict(key));
    }
    return conflicts;
  }

  /** Resolves with the positions, from 1, of the batches that fitted. */
  async #commitMany(appends: readonly Append[]): Promise<Set<number>> {
    const column = (field: (append: Append) => string | number) => appends.map(field).join(separator);
    const { rows } = await this.#pool.query<{ position: number }>({
      name: 'append-batches',
      text: appendMany,
      values: [
        column(({ key }) => key),
        column(({ batch }) => batch.firstIndex),
        column(({ batch }) => batch.nextIndex),
        column(({ batch: { author } }) => authorField(author)),
        column(({ batch }) => batch.savedAtMs),
        column(({ batch }) => batch.changes),
        appends.length,
      ],
    });
    return new Set(rows.map(({ position }) => position));
  }

  async #commitOne({ key, batch }: Append): Promise<Set<number>> {
    const { author, firstIndex, nextIndex, savedAtMs, changes } = batch;
    const { uniqueId, userId, name, stamp } = author;
    const { rowCount } = await this.#pool.query({
      name: 'append-batch',
      text: appendOne,
      values: [
        key,
        firstIndex,
        nextIndex,
        uniqueId,
        userId,
        name,
        stamp ? JSON.stringify(stamp) : null,
        savedAtMs,
        // The bytes of a text are what its binary form is. The driver would make those of a long one in one piece.
        changes.length > largeBytes ? await utf8InTurns(changes, nextTurn) : changes,
      ],
    });
    return new Set(rowCount === 1 ? [1] : []);
  }

  async #conflict(key: string): Promise<AppendResult> {
    const { rows } = await this.#pool.query<{ next_index: number; state: string }>(endOfLog, [key]);
    return { kind: 'conflict', endIndex: rows[0]?.next_index ?? null, state: rows[0]?.state ?? null };
  }
}
