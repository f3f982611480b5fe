import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from './pool.ts';

/** So much is removed at a time: a statement of some milliseconds, which holds few locks. */
export const removedAtOnce = 500;

/** Longest pause between two removals, milliseconds. */
const maxPauseMs = 1_000;

/**
 * Calls `remove` again and again, with a pause after each call as long as the call took, so that it takes at most half of
 * the database's time. `remove` resolves with how many there were; fewer than {@link removedAtOnce}: there are no more.
 */
export async function removeAll(
  remove: () => Promise<number>,
  isOver: () => boolean = () => false,
): Promise<number> {
  let count = 0;
  while (!isOver()) {
    const startedAt = performance.now();
    const removed = await remove();
    count += removed;
    if (removed < removedAtOnce) break;
    await sleep(Math.min(maxPauseMs, performance.now() - startedAt));
  }
  return count;
}

/**
 * Removes outdated rows of a table in portions, without those that somebody else has locked.
 * @param past SQL: which rows, with `values` for its parameters
 */
export function removePast(
  sql: Sql,
  table: string,
  key: string,
  past: string,
  values: readonly unknown[] = [],
): Promise<number> {
  return removeAll(async () => {
    const { rowCount } = await sql.query(
      `DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
         SELECT ${key} FROM ${table} WHERE ${past} LIMIT ${removedAtOnce} FOR UPDATE SKIP LOCKED))`,
      [...values],
    );
    return rowCount ?? 0;
  });
}
