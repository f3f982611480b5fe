import { nameOfClientError } from '../../frame/error-codes.ts';
import { describeCode } from '../../frame/host-report.ts';
import type { DocumentEditor } from '../document-editor.ts';
import type { AuthorChanges } from './change-archive.ts';

/** A file of a version: what the embedding page says of it. */
export interface VersionFile {
  readonly key: string;
  readonly url: string;
  readonly fileType: string;
  readonly token: string | undefined;
}

export interface VersionAuthors {
  /** Everybody who worked on the version, by the embedding page's ids. */
  readonly names: ReadonlyMap<string, string>;
  /** Who changed what, where that is known. */
  readonly changes: readonly AuthorChanges[] | null;
}

/** What two documents differ in. */
export interface Differences {
  readonly count: number;
  /** Marks them in the one that is shown. */
  mark(): void;
}

/** How versions of a kind's documents, and other files beside them, are shown and compared. */
export interface VersionReader<E extends DocumentEditor> {
  /** Opens a file for reading, in a session of its own. @throws what the client throws */
  open(file: VersionFile): Promise<E>;
  /** Ends the session of a file that was opened. */
  close(shown: E): void;
  /** What a version that is shown has that the version before had not. */
  differencesSince(older: VersionFile, shown: E, authors: Promise<VersionAuthors>): Promise<Differences>;
  /** What another file that is shown has that the document itself has not. */
  differencesFromDocument(shown: E): Promise<Differences>;
}

/** Why a version or another file cannot be shown, as a sentence after a space; empty where there is nothing to say. */
export function reasonOf(error: unknown): string {
  const code = nameOfClientError(error);
  return code && code !== 'unknown' && code !== 'editing' ? ` ${describeCode(code)}` : '';
}
