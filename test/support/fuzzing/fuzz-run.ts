import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ConversionError, EngineEnded, EngineFault } from '../../../converter/errors.ts';
import { checkSource } from '../../../converter/source-checks/check-source.ts';
import { sourceLimits } from '../../../converter/source-checks/source-limits.ts';
import { loadConfig } from '../../../platform/config.ts';
import { mutate } from './mutations.ts';
import { isWorkbook, type Subject, subjects } from './subjects.ts';
import { mutateWorkbook } from './workbook-mutations.ts';

/** A conversion of a damaged file, made again by the same numbers from the same file. */
export interface FuzzCase {
  /** Path below the directory of the corpus. */
  file: string;
  /** A file that it may be mixed with. */
  other: string;
  seed: number;
  engine: string;
  toType: string;
}

/** What a conversion of a damaged file came to: `finding` where it is none of what it may come to. */
export interface FuzzResult {
  how: string;
  outcome: string;
  elapsedMs: number;
  finding?: string;
}

/** More than its deadline that a conversion may take: one more process is started, or files are removed. */
const graceMs = 60_000;
/** So long after their end processes may be there, and rooms be emptied. */
const patienceMs = 10_000;

/** Engines, a place of their own, and what must stay untouched. */
export class FuzzRun implements AsyncDisposable {
  readonly engines: readonly Subject[];
  readonly #corpus: string;
  readonly #place: string;
  readonly #canary: string;
  readonly #server: Server;
  readonly #timeoutMs: number;
  readonly #limits = sourceLimits(loadConfig({}));
  #requests = 0;

  private constructor(of: {
    engines: readonly Subject[];
    corpus: string;
    place: string;
    server: Server;
    timeoutMs: number;
  }) {
    this.engines = of.engines;
    this.#corpus = of.corpus;
    this.#place = of.place;
    this.#canary = path.join(of.place, 'canary', 'untouched.txt');
    this.#server = of.server;
    this.#timeoutMs = of.timeoutMs;
  }

  /** `corpus`: the directory of the files; `timeoutMs`: the deadline of a conversion; `only`: names of engines. */
  static async start({
    corpus,
    timeoutMs,
    only,
  }: {
    corpus: string;
    timeoutMs: number;
    only?: readonly string[] | undefined;
  }): Promise<FuzzRun> {
    const place = await mkdtemp(path.join(os.tmpdir(), 'quire-fuzz-'));
    const server = createServer((_request, response) => response.end('seen'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const environment = { X2T_DIR: process.env.X2T_DIR, LIBREOFFICE: process.env.LIBREOFFICE };
    const dataDir = path.join(place, 'data');
    await mkdir(dataDir);
    const engines = await subjects({ timeoutMs, dataDir, environment, only });
    const run = new FuzzRun({ engines, corpus, place, server, timeoutMs });
    await mkdir(path.dirname(run.#canary));
    await writeFile(run.#canary, 'untouched');
    server.on('request', () => {
      run.#requests += 1;
    });
    return run;
  }

  /** Files of the corpus, in the order of their names. */
  async files(): Promise<string[]> {
    const entries = await readdir(this.#corpus, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
      .map((entry) => path.relative(this.#corpus, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  async convert({ file, other, seed, engine, toType }: FuzzCase): Promise<FuzzResult> {
    const [bytes, otherBytes] = await Promise.all(
      [file, other].map((name) => readFile(path.join(this.#corpus, name))),
    );
    const { port } = this.#server.address() as AddressInfo;
    const means = { seed, other: otherBytes!, origin: `http://127.0.0.1:${port}` };
    // Of workbooks our own engine knows more than any program of others, so they are damaged with more knowledge.
    const isOwn = engine === 'ooxml' && isWorkbook(typeOf(file));
    const mutated = isOwn ? mutateWorkbook(bytes!, means) : mutate(bytes!, means);
    const result = await this.#outcomeOf(mutated.bytes, { fromType: typeOf(file), toType, engine });
    return { how: mutated.how, ...result };
  }

  /** Whether an engine still converts a file that is not damaged. */
  async stillConverts(engine: string, file: string, toType: string): Promise<string | undefined> {
    const bytes = await readFile(path.join(this.#corpus, file));
    const { outcome } = await this.#outcomeOf(bytes, { fromType: typeOf(file), toType, engine });
    return outcome === 'made' ? undefined : `${engine} does not convert ${file} any more: ${outcome}`;
  }

  async #outcomeOf(
    bytes: Uint8Array,
    { fromType, toType, engine }: { fromType: string; toType: string; engine: string },
  ): Promise<Omit<FuzzResult, 'how'>> {
    const subject = this.engines.find(({ name }) => name === engine)!;
    const startedAt = performance.now();
    let outcome: string;
    let finding: string | undefined;
    try {
      await checkSource(bytes, this.#limits);
      await subject.convert(bytes, fromType, toType);
      outcome = 'made';
    } catch (error) {
      if (error instanceof EngineEnded) outcome = `ended: ${error.limit}`;
      else if (error instanceof ConversionError && !(error instanceof EngineFault)) {
        outcome = `${error.code}: ${error.message}`;
      } else {
        const { message, cause } = error as Error;
        outcome = 'fault';
        finding = `${message} ${cause instanceof Error ? cause.stack : String(cause ?? (error as Error).stack)}`;
      }
    }
    const elapsedMs = Math.round(performance.now() - startedAt);
    if (elapsedMs > subject.tasks * this.#timeoutMs + graceMs) finding = `it took ${elapsedMs} ms`;
    finding ??= await this.#harm();
    return { outcome, elapsedMs, ...(finding !== undefined && { finding }) };
  }

  /** What a conversion must not do, if it did. */
  async #harm(): Promise<string | undefined> {
    const requests = this.#requests;
    this.#requests = 0;
    if (requests > 0) return `${requests} requests arrived`;
    const text = await readFile(this.#canary, 'utf8').catch(() => 'gone');
    const names = await readdir(path.dirname(this.#canary));
    return text === 'untouched' && names.length === 1 ? undefined : 'a file beside its directory was touched';
  }

  /** What is left of processes of conversions and their rooms, some seconds after the engines were closed. */
  async leftovers(): Promise<string[]> {
    const until = Date.now() + patienceMs;
    let left = await this.#leftNow();
    while (left.length > 0 && Date.now() < until) {
      await setTimeout(100);
      left = await this.#leftNow();
    }
    return left;
  }

  async #leftNow(): Promise<string[]> {
    const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8').catch(() => '');
    const rooms = (await readdir(os.tmpdir())).filter((name) => name.startsWith('quire-office-'));
    const own = rooms.filter((name) => name.includes(`-${process.pid}-`));
    return [
      ...children
        .trim()
        .split(' ')
        .filter(Boolean)
        .map((pid) => `process ${pid}`),
      ...own,
    ];
  }

  async closeEngines(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await rm(this.#place, { recursive: true, force: true });
  }
}

export const typeOf = (file: string): string => path.extname(file).slice(1).toLowerCase();
