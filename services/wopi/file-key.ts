import { createHash } from 'node:crypto';
import type { FileInfo } from './file-info.ts';

const longestKey = 240;
const hashCharacters = 32;

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, hashCharacters);

/** Text as part of a key: what a key cannot hold is replaced, and then a hash keeps different texts apart. */
function keyPart(text: string, most: number): string {
  const clean = text.replace(/[^0-9A-Za-z\-._=]/g, '_');
  if (clean === text && clean !== '' && clean.length <= most) return clean;
  return `${clean.slice(0, most - hashCharacters - 1)}.${hashOf(text)}`;
}

/** The keys a file may be edited under: by its id at the host, and one that no other host's file can have. */
export function editKeys(source: string, fileId: string): { plain: string; distinct: string } {
  const plain = keyPart(fileId, longestKey);
  return { plain, distinct: `${plain.slice(0, longestKey - hashCharacters - 1)}.${hashOf(source)}` };
}

/** The key under which a version of a file is looked at: people who see the same version share it. */
export function viewKey(source: string, fileId: string, { Version, LastModifiedTime }: FileInfo): string {
  const version = LastModifiedTime ?? Version ?? '';
  return keyPart(`view.${fileId}.${version}.${hashOf(source).slice(0, 8)}`, longestKey);
}
