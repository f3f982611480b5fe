import type { SkippedChange } from '../model/word/change.ts';
import { assembleDocx, openDocx } from './engines/ooxml/docx.ts';
import { ConversionError, type ConversionErrorName } from './errors.ts';

/** Work for an engine thread: everything goes in and out by value. */
export type EngineTask =
  | { kind: 'open'; source: Uint8Array }
  | { kind: 'assemble'; source: Uint8Array; changes: readonly string[]; media: Pictures };

/** Pictures that editors uploaded, by the path under which changes name them. */
export type Pictures = Readonly<Record<string, Uint8Array>>;

export type EngineResult =
  | { kind: 'opened'; model: string; media: readonly (readonly [path: string, bytes: Uint8Array])[] }
  | {
      kind: 'assembled';
      bytes: Uint8Array;
      applied: number;
      skipped: readonly SkippedChange[];
      missingMedia: readonly string[];
    }
  | { kind: 'refused'; error: ConversionErrorName; message: string };

/** Runs in a thread of its own, so that a file which takes too long or too much can be ended without harm. */
export default function convert(task: EngineTask): EngineResult {
  try {
    return task.kind === 'open' ? open(task.source) : assemble(task);
  } catch (error) {
    if (error instanceof ConversionError) {
      return { kind: 'refused', error: error.kind, message: error.message };
    }
    throw error;
  }
}

function open(bytes: Uint8Array): EngineResult {
  const source = openDocx(bytes);
  return { kind: 'opened', model: JSON.stringify(source.model()), media: [...source.media()] };
}

function assemble({ source, changes, media }: Extract<EngineTask, { kind: 'assemble' }>): EngineResult {
  const { bytes, applied, skipped, missingMedia } = assembleDocx(source, changes, {
    media: (path) => (Object.hasOwn(media, path) ? media[path] : undefined),
  });
  return { kind: 'assembled', bytes, applied, skipped, missingMedia };
}
