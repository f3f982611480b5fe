import type { Author, StoredBatch } from '../../platform/ports/change-log.ts';

/** Changes in a row that one person made. */
export interface AuthorRun {
  author: StoredBatch['author'];
  savedAtMs: number;
  /** A JSON array of the change strings. */
  json: string;
}

const isSameAuthor = (one: Author, other: Author): boolean =>
  one.userId === other.userId && JSON.stringify(one.stamp) === JSON.stringify(other.stamp);

/** The changes of a log, cut wherever the author, or what the author may do, changes: the form in which x2t and integrators read them. */
export async function* authorRuns(
  pages: AsyncIterable<readonly StoredBatch[]> | Iterable<readonly StoredBatch[]>,
): AsyncGenerator<AuthorRun> {
  let last: StoredBatch | null = null;
  let changes: string[] = [];
  const run = ({ author, savedAtMs }: StoredBatch) => ({ author, savedAtMs, json: `[${changes.join(',')}]` });
  for await (const page of pages) {
    for (const batch of page) {
      if (last && !isSameAuthor(batch.author, last.author)) {
        yield run(last);
        changes = [];
      }
      last = batch;
      const inner = batch.changes.slice(1, -1);
      if (inner) changes.push(inner);
    }
  }
  if (last) yield run(last);
}
