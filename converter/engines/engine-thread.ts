import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { DamagedCheckpoint } from '../../model/log/checkpoint.ts';
import type { LogOutcome, LogTail } from '../../model/log/log-tail.ts';
import { ConversionError, type ConversionErrorName, overLimit } from '../errors.ts';
import { checkSource } from '../source-checks/check-source.ts';
import type { SourceLimits } from '../source-checks/source-limits.ts';
import type { KindEngine, OpenedFile } from './kind-engine.ts';
import { engineOf, loadKindEngines } from './kind-engines.ts';
import { LIMITS } from './ooxml/package/limits.ts';
import { begin, type RunningTask } from './running-task.ts';

/** Work for an engine thread, by the engine of a model: everything goes in and out by value. */
export type EngineTask = { model: string; source: Uint8Array } & (
  | /** The source has not been looked at. */ { kind: 'open'; limits: SourceLimits }
  /** `earlier`: JSON in UTF-8, where the log was made on the model as an earlier version read the source. */
  | ({ kind: 'assemble'; media: Pictures; earlier?: Uint8Array } & LogTail)
  | ({ kind: 'checkpoint' } & LogTail)
  /** The source is an opened document, the wish says what is wanted of it: both JSON in UTF-8. */
  | { kind: 'pick'; wish: Uint8Array }
  /** The source is a table in plain text, in UTF-8. */
  | { kind: 'read-table'; delimiter: string | undefined }
  /** `table`: the text that the source was made of, in UTF-8. */
  | { kind: 'write-table'; table: Uint8Array; delimiter: string | undefined }
);

/** A task as a thread gets it. */
export interface ThreadTask {
  task: EngineTask;
  running: RunningTask;
}

/** What a thread is started with. */
export interface EngineThreadStart {
  /** Modules of further kinds, by their paths. */
  kindModules: readonly string[];
}

/** Pictures that editors uploaded, by the path under which changes name them. */
export type Pictures = Readonly<Record<string, Uint8Array>>;

export type EngineResult =
  /** `model` is JSON in UTF-8. */
  | {
      kind: 'opened';
      model: Uint8Array<ArrayBuffer>;
      media: readonly (readonly [path: string, bytes: Uint8Array])[];
    }
  | ({ kind: 'assembled'; bytes: Uint8Array; missingMedia: readonly string[] } & LogOutcome)
  | ({ kind: 'checkpointed' } & LogOutcome)
  /** JSON in UTF-8. */
  | { kind: 'picked'; bytes: Uint8Array }
  /** A file, or a table in UTF-8. */
  | { kind: 'converted'; bytes: Uint8Array }
  /** The checkpoint that the task came with is none of its document. */
  | { kind: 'damaged-checkpoint' }
  | { kind: 'refused'; error: ConversionErrorName; message: string };

// In a thread, as soon as it starts: no task waits for code to be loaded. Elsewhere there is nothing that it was started with.
await loadKindEngines((workerData as EngineThreadStart | undefined)?.kindModules ?? []);

/**
 * Runs in a thread of its own, so that work that takes too long or too much memory can be ended without harm. Large results
 * are moved to the main thread, not copied: it serves other jobs, too.
 */
export default async function work({ task, running }: ThreadTask): Promise<EngineResult> {
  begin(running);
  const result = await convert(task);
  if (result.kind !== 'opened') return result;
  const { buffer } = result.model;
  return move({ [transferableSymbol]: [buffer], [valueSymbol]: result } as never) as unknown as EngineResult;
}

/** The work itself, which any thread can do. */
export async function convert(task: EngineTask): Promise<EngineResult> {
  try {
    const engine = engineOf(task.model);
    switch (task.kind) {
      case 'open':
        await checkSource(task.source, task.limits);
        return open(engine, task.source);
      case 'assemble':
        return assemble(engine, task);
      case 'checkpoint':
        return { kind: 'checkpointed', ...engine.checkpoint(task.source, task) };
      case 'pick':
        return { kind: 'picked', bytes: pick(engine, task) };
      case 'read-table':
      case 'write-table':
        return { kind: 'converted', bytes: convertTable(engine, task) };
    }
  } catch (error) {
    if (error instanceof ConversionError) {
      return { kind: 'refused', error: error.code, message: error.message };
    }
    if (error instanceof DamagedCheckpoint) return { kind: 'damaged-checkpoint' };
    throw error;
  }
}

function open(engine: KindEngine, bytes: Uint8Array): EngineResult {
  const { model, media } = engine.open(bytes);
  return { kind: 'opened', model: new TextEncoder().encode(textOf(model)), media: [...media] };
}

function textOf(model: OpenedFile['model']): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(model);
  } catch (error) {
    // Longer than any text can be.
    if (!(error instanceof RangeError)) throw error;
  }
  if (text === undefined || text.length > LIMITS.modelChars)
    throw overLimit('the document is too large to be edited');
  return text;
}

function pick(engine: KindEngine, { source, wish }: { source: Uint8Array; wish: Uint8Array }): Uint8Array {
  if (!engine.pick) throw new ConversionError('unknownFormat', 'nothing can be picked from such a document');
  const [model, wanted] = [source, wish].map((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
  return new TextEncoder().encode(JSON.stringify(engine.pick(model, wanted)));
}

type TableTask = Extract<EngineTask, { kind: 'read-table' | 'write-table' }>;

function convertTable({ tables }: KindEngine, task: TableTask): Uint8Array {
  if (!tables) throw new ConversionError('unknownFormat', 'such documents are no tables');
  const { source, delimiter } = task;
  if (task.kind === 'read-table') return tables.read(new TextDecoder().decode(source), delimiter);
  const table = new TextDecoder().decode(task.table);
  return new TextEncoder().encode(tables.write(source, table, delimiter));
}

function assemble(engine: KindEngine, task: Extract<EngineTask, { kind: 'assemble' }>): EngineResult {
  const { source, media, earlier } = task;
  const assembled = engine.assemble(source, task, {
    media: (path) => (Object.hasOwn(media, path) ? media[path] : undefined),
    ...(earlier && { earlier: JSON.parse(new TextDecoder().decode(earlier)) }),
  });
  return { kind: 'assembled', ...assembled };
}
