import { strFromU8, unzipSync } from 'fflate';
import type { LoadKind } from './load-kinds.ts';
import type { FoundSave } from './saved-saves.ts';

/** What somebody saved. */
export interface Work {
  /** Saves that were acknowledged. */
  acknowledged: number;
  /** Saves that were sent; one that was not acknowledged may be stored all the same. */
  sent: number;
}

/** What a document must come to. */
export interface Account {
  key: string;
  edition: number;
  /** By author. */
  works: Map<string, Work>;
}

/**
 * What the saves in a text differ in from those that were acknowledged; null when nothing differs. Each author's saves have
 * to be there once, in their order, and whole.
 *
 * @param saves author and serial number of each save, the newest first
 */
function differenceOf(account: Account, saves: readonly FoundSave[]): string | null {
  const found = new Map<string, number>();
  for (let at = saves.length - 1; at >= 0; at -= 1) {
    const [author, serial] = saves[at]!;
    const expected = found.get(author) ?? 0;
    if (serial !== expected) return `save ${serial} of ${author} where ${expected} should be`;
    found.set(author, expected + 1);
  }
  for (const [author, { acknowledged, sent }] of account.works) {
    const stored = found.get(author) ?? 0;
    found.delete(author);
    if (stored < acknowledged) return `${stored} saves of ${author}, ${acknowledged} were acknowledged`;
    if (stored > sent) return `${stored} saves of ${author}, who sent ${sent}`;
  }
  const [stranger] = found.keys();
  return stranger === undefined ? null : `saves of ${stranger}, who sent none`;
}

/** What a delivered file differs in from what was acknowledged; null when nothing differs. */
export function fileDifference(
  account: Account,
  kind: LoadKind,
  changesPerSave: number,
  file: Uint8Array,
): string | null {
  let saves: readonly FoundSave[] | string;
  try {
    saves = kind.savesIn(file, account.edition, changesPerSave);
  } catch (error) {
    return `the file cannot be read: ${(error as Error).message}`;
  }
  return typeof saves === 'string' ? saves : differenceOf(account, saves);
}

/** What the archive of a document's changes, its log, differs in from what was acknowledged. */
export function logDifference(account: Account, changesPerSave: number, archive: Uint8Array): string | null {
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(archive, { filter: ({ name }) => /^changes\d+\.json$/.test(name) });
  } catch (error) {
    return `the archive of changes cannot be read: ${(error as Error).message}`;
  }
  const saves: [string, number][] = [];
  let changes = 0;
  for (let number = 0; files[`changes${number}.json`]; number += 1) {
    const log = strFromU8(files[`changes${number}.json`]!, true);
    for (const [, author, serial] of log.matchAll(/\[([0-9a-z]{6})\.(\d{6})\]/g)) {
      saves.push([author!, Number(serial)]);
    }
    changes += log.split('\\"s\\":{').length - 1;
  }
  if (changes !== saves.length * changesPerSave) {
    return `${changes} changes in the log, ${saves.length} saves of ${changesPerSave}`;
  }
  return differenceOf(account, saves.reverse());
}
