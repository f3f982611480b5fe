import { createHash } from 'node:crypto';
import type { FileInfo } from './file-info.ts';

/** The address of a file at a WOPI host, and the host's id of it. */
export interface FileSource {
  /** Without a fragment, and without an access token. */
  url: string;
  fileId: string;
}

const longestSource = 4_096;

/** Reads a `WOPISrc`; null when it is no address of a file. */
export function readFileSource(given: unknown): FileSource | null {
  if (typeof given !== 'string' || given.length > longestSource || !URL.canParse(given)) return null;
  const url = new URL(given);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  url.hash = '';
  url.searchParams.delete('access_token');
  url.searchParams.delete('access_token_ttl');
  url.pathname = url.pathname.replace(/\/+$/, '');
  const fileId = decoded(url.pathname.split('/').at(-1) ?? '');
  return fileId === '' ? null : { url: url.href, fileId };
}

/** An address of a file's host with a sub-path and the access token. */
export function addressOf(source: string, accessToken: string, subPath = ''): string {
  const url = new URL(source);
  url.pathname += subPath;
  url.searchParams.set('access_token', accessToken);
  return url.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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

/**
 * The key under which a version of a file is looked at: people who see the same version share it. Where the host does not say
 * which version it is, each session has its own.
 */
export function viewKey(
  { url, fileId }: FileSource,
  { Version, LastModifiedTime }: FileInfo,
  sessionId: string,
): string {
  const said = [LastModifiedTime, Version].filter((member) => member !== undefined);
  const version = said.length === 0 ? sessionId : said.join('.');
  return keyPart(`view.${fileId}.${version}.${hashOf(url).slice(0, 8)}`, longestKey);
}
