import { availableParallelism } from 'node:os';
import path from 'node:path';
import { documentFile } from '../../../client/protocol/index.ts';
import type { Logger } from '../../../platform/log.ts';
import { type Ended, runBounded } from '../../confinement/bounded-process.ts';
import { ConversionError, type ConversionErrorName, EngineEnded } from '../../errors.ts';
import { LaneLimit } from '../concurrency-limits.ts';
import { type EngineLane, type EngineListener, type EngineRun, observed } from '../conversion-engine.ts';
import { ZipArchive } from '../ooxml/package/zip-archive.ts';
import { fontCatalogue } from './fonts.ts';
import { BINARY_FORM, formatNumber, isPlain, isTarget } from './formats.ts';
import { commandOf, type X2tInstallation } from './installation.ts';
import { type DocumentPart, JobDirectory } from './job-directory.ts';
import { paramsXml, type X2tOptions } from './params.ts';

/** What one run of x2t may use. */
interface X2tLimits {
  timeoutMs: number;
  memoryMb: number;
  /** All it writes for a result, bytes. */
  resultBytes: number;
}

/** A file in one of the formats that x2t reads; the type is its usual extension. */
export interface X2tSource {
  bytes: Uint8Array;
  fileType: string;
  /** The number of its format, where nothing in it says it. */
  format?: number | undefined;
  /** Files that it names by their paths. */
  media?: readonly DocumentPart[];
  options?: X2tOptions;
  /** For whom it is read: somebody who waits, unless given. */
  run?: Pick<EngineRun, 'lane' | 'timeoutMs' | 'signal'> | undefined;
}

/** A document in the binary form, and the pictures and other files it names by their paths. */
export interface BinaryDocument {
  document: Uint8Array;
  media: readonly DocumentPart[];
}

/** A binary document, what people did to it, and the format that is wanted. */
interface X2tAssembly extends BinaryDocument {
  /** JSON arrays of change strings, in order; a new one where the author changes. */
  changes: readonly string[];
  toType: string;
  options?: X2tOptions;
  /** A save unless given. */
  lane?: EngineLane;
}

export interface X2tEngineOptions extends Omit<X2tLimits, 'resultBytes'> {
  dataDir: string;
  log: Pick<Logger, 'warn'>;
  onRun?: EngineListener;
  /** How many run at the same time, beside one more for a save; the number of processor cores unless given. */
  atOnce?: number;
  /** 1 GiB unless given. */
  resultBytes?: number;
}

/** The largest results of all sources of the corpora are far below this, bytes. */
const maxResultBytes = 1_024 * 1_048_576;

/**
 * The converter x2t, a program that the operator installed: every job is a process of its own in a directory of its
 * own. Saves wait for no others.
 */
export class X2tEngine {
  readonly installation: X2tInstallation;
  readonly #fontsDirectory: string;
  readonly #limits: X2tLimits;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #onRun: EngineListener;
  readonly #concurrency: LaneLimit;

  private constructor(
    installation: X2tInstallation,
    fontsDirectory: string,
    limits: X2tLimits,
    log: Pick<Logger, 'warn'>,
    onRun: EngineListener,
    atOnce: number,
  ) {
    this.#concurrency = new LaneLimit(atOnce);
    this.#onRun = onRun;
    this.#log = log;
    this.installation = installation;
    this.#fontsDirectory = fontsDirectory;
    this.#limits = limits;
  }

  /** Makes the catalogue of fonts under `dataDir` if there is none yet. */
  static async start(
    installation: X2tInstallation,
    { dataDir, log, onRun = () => undefined, atOnce = availableParallelism(), ...limits }: X2tEngineOptions,
  ): Promise<X2tEngine> {
    const fonts = await fontCatalogue(installation, { dataDir });
    return new X2tEngine(installation, fonts, { resultBytes: maxResultBytes, ...limits }, log, onRun, atOnce);
  }

  /** @throws ConversionError, EngineEnded */
  async open(source: X2tSource): Promise<BinaryDocument> {
    await using job = await JobDirectory.create();
    const from = await job.put(`source.${cleanType(source.fileType)}`, source.bytes);
    const results = await this.#run(job, {
      from,
      fromType: source.fileType,
      toName: documentFile,
      format: BINARY_FORM,
      fromChanges: false,
      options: source.options ?? {},
      run: source.run,
    });
    return {
      document: resultOf(results, documentFile),
      media: results.filter(([name]) => name !== documentFile),
    };
  }

  /** @throws ConversionError (`corrupted` when the changes do not fit the document), EngineEnded */
  async assemble({
    document,
    media,
    changes,
    toType,
    options = {},
    lane = 'saving',
  }: X2tAssembly): Promise<Uint8Array> {
    await using job = await JobDirectory.create();
    for (const [name, bytes] of media) await job.put(name, bytes);
    for (const [index, texts] of changes.entries()) await job.put(`changes/changes${index}.json`, texts);
    const from = await job.put(documentFile, document);
    return withFixedTimes(
      await this.#write(job, { from, fromType: 'bin', toType, fromChanges: true, options, run: { lane } }),
    );
  }

  /**
   * `format` is the number of the format, where the type does not say it.
   * @throws ConversionError, EngineEnded
   */
  async convert(source: X2tSource, toType: string, format?: number): Promise<Uint8Array> {
    await using job = await JobDirectory.create();
    const from = await job.put(`source.${cleanType(source.fileType)}`, source.bytes);
    const { fileType, format: fromFormat, media = [], options = {}, run } = source;
    for (const [name, bytes] of media) await job.put(name, bytes);
    return await this.#write(job, {
      from,
      fromType: fileType,
      fromFormat,
      toType,
      format,
      fromChanges: false,
      options,
      run,
    });
  }

  async #write(
    job: JobDirectory,
    {
      toType,
      format,
      ...task
    }: Omit<Task, 'toName' | 'format'> & { toType: string; format?: number | undefined },
  ): Promise<Uint8Array> {
    if (!isTarget(toType)) {
      throw new ConversionError('unknownFormat', 'files of the format that is wanted cannot be written');
    }
    const toName = `output.${toType}`;
    const results = await this.#run(job, { ...task, toName, format: format ?? formatNumber(toType) });
    return resultOf(results, toName);
  }

  #run(job: JobDirectory, task: Task): Promise<DocumentPart[]> {
    const name = task.fromChanges ? 'assemble' : task.toName === documentFile ? 'open' : 'convert';
    return observed(this.#onRun, name, () => this.#resultsOf(job, task));
  }

  async #resultsOf(job: JobDirectory, { fromType, toName, run, ...task }: Task): Promise<DocumentPart[]> {
    const params = await job.put(
      'params.xml',
      paramsXml({
        ...task,
        to: path.join(job.path, 'out', toName),
        fontsDirectory: this.#fontsDirectory,
        temporaryDirectory: path.join(job.path, 'temporary'),
      }),
    );
    const ended = await this.#process(job, params, run);
    run?.signal?.throwIfAborted();
    try {
      checkOutcome(ended, fromType);
    } catch (error) {
      this.#log.warn({ err: error, fromType, toName }, 'x2t could not convert a file');
      throw error;
    }
    return job.results(this.#limits.resultBytes);
  }

  #process(job: JobDirectory, params: string, run: X2tSource['run']): Promise<Ended> {
    const { timeoutMs, memoryMb, resultBytes } = this.#limits;
    const mostMs = Math.min(timeoutMs, run?.timeoutMs ?? timeoutMs);
    const limits = { timeoutMs: mostMs, memoryMb, fileBytes: resultBytes };
    const readable = [this.installation.directory, this.#fontsDirectory];
    const command = commandOf(this.installation, [params], { readable, directory: job.path });
    const { lane, signal } = run ?? {};
    return this.#concurrency.run(() => runBounded(command, { directory: job.path, limits, signal }), lane);
  }
}

interface Task {
  from: string;
  fromType: string;
  fromFormat?: number | undefined;
  toName: string;
  format: number;
  fromChanges: boolean;
  options: X2tOptions;
  run?: X2tSource['run'];
}

/** The type becomes part of a file's name. */
const cleanType = (fileType: string) => fileType.replace(/[^a-z0-9]/gi, '').slice(0, 16);

function resultOf(results: readonly DocumentPart[], wanted: string): Uint8Array {
  const found = results.find(([name]) => name === wanted);
  if (!found) throw failure('convert', new Error('x2t ended well and wrote nothing'));
  return found[1];
}

/** Exit codes of x2t: the protocol's numbers without their sign. */
const NEED_PARAMS = 89;
const meanings: Readonly<Record<number, ConversionErrorName>> = {
  82: 'unknownFormat',
  86: 'corrupted',
  // A pair of formats between which it has no way.
  88: 'unknownFormat',
  89: 'needParams',
  90: 'passwordRequired',
  91: 'wrongPassword',
  93: 'limits',
  96: 'limits',
};

const messages: Partial<Record<ConversionErrorName, string>> = {
  unknownFormat: 'the file cannot be converted from its format, or to the one that is wanted',
  corrupted: 'the file is damaged',
  needParams: 'the encoding or the delimiter of the file is not known',
  passwordRequired: 'the file is protected by a password',
  wrongPassword: 'the password is not the right one',
  limits: 'the file asks for more than a conversion may use',
};

/**
 * Says what went wrong in a run of x2t that did not end well. What it said itself is the cause.
 * @throws ConversionError, EngineEnded
 */
function checkOutcome({ how, exitCode, signal, output }: Ended, fromType: string): void {
  if (how === 'exited' && exitCode === 0) return;
  const cause = new Error(`x2t ended with ${exitCode ?? signal}: ${output.trim() || 'it said nothing'}`);
  if (how === 'timeout' || signal === 'SIGXCPU') throw new EngineEnded('time', { cause });
  if (signal === 'SIGXFSZ') throw failure('limits', cause);
  if (/bad_alloc|out of memory|\bOOM\b/i.test(output)) throw new EngineEnded('memory', { cause });
  // What it cannot make out it takes for plain text.
  if (exitCode === NEED_PARAMS && !isPlain(fromType)) throw failure('corrupted', cause);
  throw failure(meanings[exitCode ?? 0] ?? 'convert', cause);
}

function failure(kind: ConversionErrorName, cause: Error): ConversionError {
  return new ConversionError(kind, messages[kind] ?? 'the conversion failed', { cause });
}

/** The first day that a zip file can name (PKWARE APPNOTE 4.4.6): 1980-01-01, 00:00. */
const firstDay = Buffer.from([0, 0, 0x21, 0]);
const timeInLocalHeader = 10;
const timeInRecord = 12;

/**
 * The same zip file with a fixed time for every entry. x2t writes the time of its run, the only thing in which it differs
 * from the run before: without, the same document and changes give the same bytes (I8). What is no zip file stays as it is.
 */
export function withFixedTimes(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  try {
    for (const { offset, record } of new ZipArchive(copy).entries) {
      firstDay.copy(copy, offset + timeInLocalHeader);
      firstDay.copy(record, timeInRecord);
    }
    return copy;
  } catch (error) {
    if (error instanceof ConversionError) return bytes;
    throw error;
  }
}
