import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { clusterPassword, databaseName, roleName } from '../../db/embedded-postgres/cluster.ts';
import { readPostmaster } from '../../db/embedded-postgres/postmaster.ts';
import { startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { buildDocx } from './docx-fixture.ts';
import { ownParagraph, sharedParagraph, Writer, type WriterOptions, writerNames } from './fault-writer.ts';
import { TestIntegrator } from './integrator.ts';
import { patienceMs } from './patience.ts';
import { openTestDatabase, type TestDatabase } from './postgres.ts';
import { QuireProcess } from './quire-process.ts';
import { WaitError } from './wait-error.ts';

export interface FaultWorldOptions {
  /** The database under the data directory instead of one on the server all tests share. */
  embedded?: boolean;
  /** A database of the test's own. */
  databaseUrl?: string;
  /** The place where a process is to die, once {@link FaultWorld.arm} was called. */
  faultPoint?: string;
  environment?: Readonly<Record<string, string>>;
}

/** The name under which the integrator serves the document. */
const sourceName = 'fault.docx';

/** Short times, and long enough for clients to come back in them. */
const settings = {
  JWT_ENABLED: 'false',
  ALLOW_PRIVATE_IP_ADDRESS: 'true',
  CLOSING_GRACE_MS: '300',
  RECONNECT_GRACE_MS: '15000',
  CALLBACK_TIMEOUT_MS: '10000',
  CALLBACK_RETRY_PAUSE_MS: '200',
};

/** A server that is going to be killed, the integrator that must not notice, and the people who type meanwhile. */
export class FaultWorld {
  readonly quire: QuireProcess;
  readonly integrator: TestIntegrator;
  /** The document everybody opens. */
  readonly key = 'fault';
  readonly source: Uint8Array = buildDocx({
    paragraphs: ['A title', sharedParagraph, ...writerNames.map(ownParagraph), 'An end nobody touches.'],
  });
  readonly #database: TestDatabase | null;
  readonly #databaseUrl: string | null;
  readonly #faultPoint: string | undefined;
  readonly #writers: Writer[] = [];
  readonly #loopDelay: IntervalHistogram = monitorEventLoopDelay();
  #closed = false;

  private constructor(
    quire: QuireProcess,
    integrator: TestIntegrator,
    database: TestDatabase | null,
    databaseUrl: string | null,
    faultPoint: string | undefined,
  ) {
    this.quire = quire;
    this.integrator = integrator;
    this.#database = database;
    this.#databaseUrl = databaseUrl;
    this.#faultPoint = faultPoint;
    integrator.serve(sourceName, { bytes: this.source });
    this.#loopDelay.enable();
  }

  static async open(options: FaultWorldOptions = {}): Promise<FaultWorld> {
    const { embedded, faultPoint, environment } = options;
    const integrator = await TestIntegrator.start();
    const database = embedded || options.databaseUrl ? null : await openTestDatabase();
    const databaseUrl = options.databaseUrl ?? database?.url;
    try {
      const quire = await QuireProcess.start({
        ...settings,
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        ...(faultPoint !== undefined && { FAULT_POINT: faultPoint }),
        ...environment,
      });
      const world = new FaultWorld(quire, integrator, database, databaseUrl ?? null, faultPoint);
      if (faultPoint !== undefined) await writeFile(world.#mark, '');
      return world;
    } catch (error) {
      await Promise.all([integrator.close(), database?.close()]);
      throw error;
    }
  }

  get writers(): readonly Writer[] {
    return this.#writers;
  }

  /** Whether it was not closed: a test that fails now has run out of time. */
  get isOpen(): boolean {
    return !this.#closed;
  }

  /** The longest time in which this process could neither type nor listen, milliseconds. */
  get longestBlockMs(): number {
    return Math.round(this.#loopDelay.max / 1e6);
  }

  /** From now on the first process that comes to the fault point dies there. Before, all of them pass it. */
  async arm(): Promise<void> {
    await rm(this.#mark);
  }

  /** Whether a process has died at the fault point. */
  get struck(): boolean {
    return existsSync(this.#mark);
  }

  /** The server has died of the fault and is started again on its data and its port. */
  async dieAndRestart(): Promise<void> {
    await this.quire.died();
    if (!this.struck) throw new Error(`The server ended before the fault point:\n${this.quire.logText()}`);
    await this.quire.restart();
  }

  /** Somebody opens the document. */
  async join(name: string, transport: WriterOptions['transport'], more: Partial<WriterOptions> = {}) {
    const writer = new Writer({
      address: this.quire.address,
      key: this.key,
      name,
      transport,
      sourceUrl: `${this.integrator.address}/files/${sourceName}`,
      callbackUrl: this.integrator.callbackUrl(this.key),
      ...more,
    });
    this.#writers.push(writer);
    await writer.session.open();
    return writer;
  }

  /** Another document with a source of its own. */
  otherDocument(name: string): { key: string; sourceUrl: string } {
    const paragraphs = [`Document ${name}`, sharedParagraph, ...writerNames.map(ownParagraph)];
    const sourceUrl = this.integrator.serve(`${name}.docx`, { bytes: buildDocx({ paragraphs }) });
    return { key: `${this.key}-${name}`, sourceUrl };
  }

  /** Makes the integrator wait with the document until the gate is opened. */
  holdSource(): { isAskedFor(): boolean; open(): void } {
    let open = () => {};
    const until = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.integrator.serve(sourceName, { bytes: this.source, until });
    return { isAskedFor: () => this.integrator.downloadsOf(sourceName) > 0, open };
  }

  /** The process number of the newest converter, unless it has ended. */
  converterPid(): number | undefined {
    const line = this.quire.log.findLast(({ msg }) => msg === 'A converter is ready');
    return line && this.#isOurs(Number(line.pid)) ? Number(line.pid) : undefined;
  }

  /** Kills the converter, which the server starts again. Returns its process number. */
  async killConverter(): Promise<number> {
    await this.until('a converter is ready', () => this.converterPid() !== undefined);
    const pid = this.converterPid()!;
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  /** Kills the server, its converter if one is ready, and its embedded database as one. */
  async cutPower(): Promise<void> {
    const postmaster = await this.postmasterPid();
    const converter = this.converterPid();
    const gone = this.quire.kill();
    process.kill(postmaster, 'SIGKILL');
    if (converter !== undefined) process.kill(converter, 'SIGKILL');
    await gone;
  }

  /** Resolves when something is so. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!isSo()) {
      if (Date.now() > deadline) throw new WaitError(what, patienceMs, this.quire.logText());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Asks the server's database. */
  async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: await this.databaseUrl() });
    // A broken connection is reported by the query it breaks.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  async databaseUrl(): Promise<string> {
    if (this.#databaseUrl !== null) return this.#databaseUrl;
    const directory = path.join(this.quire.dataDir, 'postgres');
    const postmaster = await readPostmaster(path.join(directory, 'data'));
    if (!postmaster) throw new Error('The embedded database does not run.');
    const password = encodeURIComponent(await clusterPassword(directory));
    return `postgres://${roleName}:${password}@127.0.0.1:${postmaster.port}/${databaseName}`;
  }

  /** The process number of the embedded database. */
  async postmasterPid(): Promise<number> {
    const file = path.join(this.quire.dataDir, 'postgres', 'data', 'postmaster.pid');
    return Number.parseInt(await readFile(file, 'utf8'), 10);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#loopDelay.disable();
    for (const writer of this.#writers) writer.session.client.abort();
    await this.quire.kill();
    const directory = path.join(this.quire.dataDir, 'postgres');
    if (existsSync(directory)) {
      // It outlives the server that was killed: taken over, to be stopped.
      const silent = { info: () => undefined, error: () => undefined };
      await (await startEmbeddedPostgres({ directory, log: silent })).stop();
    }
    await this.quire.remove();
    await Promise.all([this.integrator.close(), this.#database?.close()]);
  }

  /** Whether a process lives and belongs to this world; its number may be another program's by now. */
  #isOurs(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${this.quire.dataDir}\0`);
    } catch {
      return false;
    }
  }

  get #mark(): string {
    return path.join(this.quire.dataDir, `fault-${(this.#faultPoint ?? 'none').replaceAll(':', '-')}`);
  }
}
