import { type Zippable, zipSync } from 'fflate';
import type { AssembledHistory } from '../../db/save-row.ts';
import type { ChangeAuthor } from '../../model/log/change-author.ts';
import { protocolVersion } from '../../platform/config.ts';
import type { Author, StoredBatch } from '../../platform/ports/change-log.ts';

/** Changes in a row that one person made. */
interface AuthorRun {
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

/** ZIP entries need a time; a fixed one makes the same changes give the same bytes (I8). */
const entryTime = new Date('1980-01-01T00:00:00Z');

/** A change archive and the history that goes with it. */
interface ChangeArchive {
  bytes: Uint8Array;
  history: AssembledHistory;
}

/**
 * The changes of a log as files `changes0.json`, `changes1.json`, …: each a JSON array of change strings, a new one
 * whenever the author changes, with an entry of the history for each (co-authoring protocol, 15.2). Where authors are
 * stamped, `stamps.json` has the stamp of each of these files, without which nobody knows what of them applied. `more`
 * are further files of the archive.
 */
export async function archiveChanges(
  pages: AsyncIterable<readonly StoredBatch[]>,
  documentSha256: string,
  more: Readonly<Record<string, Uint8Array>> = {},
): Promise<ChangeArchive> {
  const files: Zippable = {};
  const stamps: (ChangeAuthor | null)[] = [];
  const history: AssembledHistory = { serverVersion: protocolVersion.version, changes: [] };
  for await (const { author, savedAtMs, json } of authorRuns(pages)) {
    files[`changes${history.changes.length}.json`] = Buffer.from(json);
    stamps.push(author.stamp ?? null);
    history.changes.push({
      documentSha256,
      created: created(savedAtMs),
      user: { id: author.userId, name: author.name },
    });
  }
  if (stamps.some((stamp) => stamp !== null)) files['stamps.json'] = Buffer.from(JSON.stringify(stamps));
  for (const [name, bytes] of Object.entries(more)) files[name] = bytes;
  return { bytes: zipSync(files, { mtime: entryTime, level: 6 }), history };
}

const created = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');
