import type { LogOutcome, LogTail } from '../../model/log/log-tail.ts';

/** A file as it was opened. */
export interface OpenedFile {
  /** The model of the document, as a JSON value. */
  readonly model: object;
  /** Bytes of the pictures of the file that can be read, by the paths of the model (`media/image1.png`). */
  readonly media: ReadonlyMap<string, Uint8Array>;
}

/** The bytes of a picture that changes insert, by its path in the model. */
export type MediaReader = (path: string) => Uint8Array | undefined;

export interface AssembleOptions {
  readonly media?: MediaReader;
  /** Where the log was made on the model as an earlier version read the file: that model, as a JSON value. */
  readonly earlier?: unknown;
}

interface AssembledFile extends LogOutcome {
  readonly bytes: Uint8Array;
  /** Paths of new pictures that were left out, because nobody gave their bytes or they are no pictures. */
  readonly missingMedia: readonly string[];
}

/** Makes files of tables in plain text, and such tables of files. */
export interface TableEngine {
  /** @param delimiter what stands between cells; undefined for nothing */
  read(text: string, delimiter: string | undefined): Uint8Array;
  /** @param source the text that the file was made of: what nobody changed is as it was there */
  write(file: Uint8Array, source: string, delimiter: string | undefined): string;
}

/**
 * The engine of one kind: it opens files as documents and makes files of documents. It runs in a thread that can be ended
 * at any time, keeps nothing between calls, and gives the same result for the same arguments.
 */
export interface KindEngine {
  /** @throws ConversionError unknownFormat, corrupted, passwordRequired or limits */
  open(file: Uint8Array): OpenedFile;

  /**
   * The file that a log began with, with the changes of the log in it. Without effective changes the bytes are the same. A
   * change that cannot apply is skipped, counted and reported.
   * @throws ConversionError when the file cannot be opened
   * @throws DamagedCheckpoint when the checkpoint is not one of this file
   */
  assemble(file: Uint8Array, tail: LogTail, options: AssembleOptions): AssembledFile;

  /** The checkpoint at the end of a log. @throws as {@link assemble} does */
  checkpoint(file: Uint8Array, tail: LogTail): LogOutcome;

  /**
   * Picks from an opened document (the model, as a JSON value) what a wish names. Absent where a kind has nothing to pick.
   * @throws ConversionError for what is no wish, and where it asks for too much
   */
  pick?(model: unknown, wish: unknown): object;

  /** Tables in plain text as files of this kind, and back. Absent where a kind has nothing of them. */
  readonly tables?: TableEngine;

  /** A new, empty file for a language (`de-DE`); null where none can be made of this type. */
  blank(fileType: string, language: string): Uint8Array | null;
}
