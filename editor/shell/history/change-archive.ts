import { strFromU8, unzip } from 'fflate';
import type { ChangeAuthor } from '../../../model/log/change-author.ts';

/** Changes of one author that came one after the other. */
export interface AuthorChanges {
  readonly author: string;
  readonly changes: readonly string[];
  /** What the server says of the author; null in archives of before it did. */
  readonly stamp: ChangeAuthor | null;
}

/** Files of an archive, unpacked, may have this many bytes together. */
const mostBytes = 50_000_000;
const fileName = /^changes(\d+)\.json$/;
const stampsFile = 'stamps.json';

/**
 * Fetches the archive of a version's changes through the server, which the storage lets in by the token (integration
 * API, 11.4). `authors` are those of the version's history, one for each file of the archive. Null if there is no such
 * archive, or none that fits the history.
 */
export async function fetchChanges(
  serverUrl: string,
  version: { readonly key: string; readonly changesUrl: string; readonly token: string },
  authors: readonly string[],
): Promise<readonly AuthorChanges[] | null> {
  const { key, changesUrl, token } = version;
  try {
    const response = await fetch(`${serverUrl}/downloadfile/${encodeURIComponent(key)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: changesUrl, token }),
    });
    if (!response.ok) return null;
    const { lists, stamps } = await readArchive(new Uint8Array(await response.arrayBuffer()));
    if (lists.length !== authors.length) return null;
    return lists.map((changes, index) => ({
      author: authors[index]!,
      changes,
      stamp: stamps[index] ?? null,
    }));
  } catch {
    return null;
  }
}

interface ArchivedChanges {
  readonly lists: string[][];
  /** One for each list, or none at all where the archive has no stamps. */
  readonly stamps: readonly (ChangeAuthor | null)[];
}

/** The lists of changes, in their order, with their stamps. @throws for what is no such archive */
async function readArchive(bytes: Uint8Array): Promise<ArchivedChanges> {
  let size = 0;
  const files = await new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
      size += originalSize;
      return (fileName.test(name) || name === stampsFile) && size <= mostBytes;
    };
    unzip(bytes, { filter }, (error, unpacked) => (error ? reject(error) : resolve(unpacked)));
  });
  const lists: string[][] = [];
  let stamps: ArchivedChanges['stamps'] = [];
  for (const [name, content] of Object.entries(files)) {
    const list: unknown = JSON.parse(strFromU8(content));
    if (!Array.isArray(list)) throw new TypeError('a file of the archive holds no list');
    const number = fileName.exec(name)?.[1];
    if (number === undefined) stamps = list;
    else lists[Number(number)] = list.map(String);
  }
  return { lists: Array.from(lists, (list) => list ?? []), stamps };
}
