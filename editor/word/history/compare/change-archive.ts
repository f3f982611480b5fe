import { strFromU8, unzip } from 'fflate';
import type { AuthorChanges } from './authorship.ts';

/** Files of an archive, unpacked, may have this many bytes together. */
const mostBytes = 50_000_000;
const fileName = /^changes(\d+)\.json$/;

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
    const lists = await readArchive(new Uint8Array(await response.arrayBuffer()));
    if (lists.length !== authors.length) return null;
    return lists.map((changes, index) => ({ author: authors[index]!, changes }));
  } catch {
    return null;
  }
}

/** The lists of changes, in their order. @throws for what is no such archive */
async function readArchive(bytes: Uint8Array): Promise<string[][]> {
  let size = 0;
  const files = await new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
      size += originalSize;
      return fileName.test(name) && size <= mostBytes;
    };
    unzip(bytes, { filter }, (error, unpacked) => (error ? reject(error) : resolve(unpacked)));
  });
  const lists: string[][] = [];
  for (const [name, content] of Object.entries(files)) {
    const changes: unknown = JSON.parse(strFromU8(content));
    if (!Array.isArray(changes)) throw new TypeError('a file of the archive holds no list');
    lists[Number(fileName.exec(name)![1])] = changes.map(String);
  }
  return Array.from(lists, (list) => list ?? []);
}
