import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '../../../platform/package-root.ts';
import type { EngineRun } from '../conversion-engine.ts';
import { BridgeLink } from './bridge-link.ts';
import { type OfficeInstallation, servicesRegistry } from './installation.ts';
import { OfficeEnded, type OfficeEndReason } from './office-ended.ts';
import { confinedOffice, OfficeRoom } from './office-room.ts';
import type { OfficeJob } from './office-task.ts';

import { usageOfTree } from './process-tree.ts';
import { type ProfileFiles, readProfile } from './profile.ts';

/** What one conversion may use. */
export interface OfficeLimits {
  timeoutMs: number;
  memoryMb: number;
  /** Largest file that is written, bytes. */
  resultBytes: number;
}

interface OfficeProcessOptions {
  installation: OfficeInstallation;
  limits: OfficeLimits;
  /** How often it is asked whether it is alive. */
  pingEveryMs: number;
  /** A profile to begin with. */
  profile: ProfileFiles | null;
}

const bridgeFolder = path.join(packageRoot, 'converter', 'engines', 'libreoffice', 'bridge');
/** What is reserved for stacks and not used is counted by the kernel, MiB. */
const reservedMb = 1_024;
const memoryEveryMs = 250;
/** A conversion that takes longer is not kept on one processor. */
const shortMs = 250;
const startPatienceMs = 90_000;
const stopPatienceMs = 2_000;
/** It may be slow to answer once; that often in a row it is dead. */
const missesAllowed = 3;
/** A conversion that used a smaller share of its time than this was hanging, not working. */
const workingShare = 0.1;
const keptOutput = 4_000;
/** Exit codes of LibreOffice for signals that stand for limits: signal(7). */
const endsByLimit: Readonly<Record<number, OfficeEndReason>> = { [-24]: 'time', [-25]: 'size' };
const KILLED = -9;
/** What a shell adds to the number of the signal that ended a command. */
const exitBySignal = 128;

/** Ends with the bridge, also when nobody is there to clear up any more. */
const clearing =
  'place=$1; pipe=$2; other=$3; shift 3; "$@"; code=$?; rm -rf "$place" "$pipe" "$other"; exit $code';

/**
 * One LibreOffice with a bridge to it, in a room of its own. It does one conversion at a time. Both are of one process
 * group, which is killed as a whole; they end by themselves when this process is gone.
 */
export class OfficeProcess {
  readonly #room: OfficeRoom;
  readonly #child: ChildProcess;
  readonly #link: BridgeLink;
  readonly #limits: OfficeLimits;
  readonly #isOver: Promise<void>;
  #health: NodeJS.Timeout | undefined;
  #reason: OfficeEndReason | null = null;
  #retryable = true;
  #said = '';
  /** How it ended; null as long as it lives. */
  ended: OfficeEnded | null = null;
  /** Conversions that it began. */
  jobs = 0;

  private constructor(room: OfficeRoom, child: ChildProcess, limits: OfficeLimits) {
    this.#room = room;
    this.#child = child;
    this.#limits = limits;
    this.#link = new BridgeLink(child.stdin!, child.stdout!);
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-keptOutput);
    });
    this.#isOver = new Promise((resolve) => {
      const end = () => {
        this.ended = this.#end();
        clearInterval(this.#health);
        this.#link.close(this.ended);
        resolve();
      };
      child.once('error', end);
      // What it has started must not outlive it, nor keep its outputs open.
      child.once('exit', () => this.#killGroup());
      child.once('close', end);
    });
  }

  /** Resolves when it can convert. @throws OfficeEnded */
  static async start(options: OfficeProcessOptions): Promise<OfficeProcess> {
    const { installation, limits, profile } = options;
    const { python, program, directory, confinement } = installation;
    const room = await OfficeRoom.create(profile, await servicesRegistry(directory));
    const { command, environment } = confinedOffice(
      [python, '-B', path.join(bridgeFolder, 'bridge.py'), program, room.path, room.pipe],
      {
        confinement,
        readable: [directory, bridgeFolder],
        directory: room.path,
        limits: { memoryMb: limits.memoryMb + reservedMb, fileBytes: limits.resultBytes },
      },
    );
    const child = spawn('/bin/sh', ['-c', clearing, 'office', ...room.remains, ...command], {
      cwd: room.path,
      env: environment,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const office = new OfficeProcess(room, child, limits);
    const timer = setTimeout(() => office.#kill('failed'), startPatienceMs);
    try {
      await office.#link.ready;
      office.#health = office.#watchHealth(options.pingEveryMs);
      return office;
    } catch (error) {
      await office.stop();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Number of the process that the others are below. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What its profile is now, to begin others with. */
  profile(): Promise<ProfileFiles> {
    return readProfile(this.#room.profile);
  }

  async memoryBytes(): Promise<number> {
    return this.#child.pid === undefined ? 0 : (await usageOfTree(this.#child.pid)).memoryBytes;
  }

  /** Has it do what a first conversion would have to wait for. */
  warm(part: 'swriter' | 'scalc' | 'simpress'): Promise<void> {
    return this.#link.ask({ warm: part });
  }

  /** @throws ConversionError, OfficeEnded, what the job itself throws and the reason of its signal */
  async convert<Result>(job: OfficeJob<Result>): Promise<Result> {
    const name = path.join('jobs', String(++this.jobs));
    const directory = path.join(this.#room.path, name);
    try {
      await mkdir(directory);
      const task = await job.prepare(directory);
      job.signal?.throwIfAborted();
      const request = {
        convert: task,
        directory: name,
        cpuSeconds: Math.ceil(this.#limits.timeoutMs / 1_000) + 1,
        progress: job.onProgress !== undefined,
      };
      await this.#watched(job, () => this.#link.ask(request, job.onProgress));
      return await job.collect(directory);
    } catch (error) {
      // With a process that is killed its room goes, piece by piece, before its end is known here.
      if (await this.#answers()) throw error;
      await this.#isOver;
      job.signal?.throwIfAborted();
      throw this.ended!;
    } finally {
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** Ends it, by force if it does not end by itself, and removes what was its own. */
  async stop(): Promise<void> {
    this.#reason ??= 'killed';
    this.#child.stdin!.end();
    const timer = setTimeout(() => this.#killGroup(), stopPatienceMs);
    await this.#isOver;
    clearTimeout(timer);
    await this.#room.remove();
  }

  async #watched(
    { signal, timeoutMs: givenMs }: Pick<EngineRun, 'signal' | 'timeoutMs'>,
    work: () => Promise<void>,
  ): Promise<void> {
    const { memoryMb } = this.#limits;
    const timeoutMs = Math.min(this.#limits.timeoutMs, givenMs ?? this.#limits.timeoutMs);
    const isFresh = this.jobs === 1;
    const before = this.#usage();
    const deadline = setTimeout(async () => {
      const [{ cpuMs: beforeMs }, { cpuMs }] = await Promise.all([before, this.#usage()]);
      const hasWorked = cpuMs - beforeMs > timeoutMs * workingShare;
      this.#kill('time', !hasWorked);
    }, timeoutMs);
    const memory = setInterval(async () => {
      const { memoryBytes } = await this.#usage();
      if (memoryBytes > memoryMb * 1_048_576) this.#kill('memory', !isFresh);
    }, memoryEveryMs);
    const spread = setTimeout(() => this.#link.ask({ spread: true }).catch(() => undefined), shortMs);
    const abort = () => this.#kill('unwanted');
    signal?.addEventListener('abort', abort);
    try {
      signal?.throwIfAborted();
      await work();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(deadline);
      clearInterval(memory);
      clearTimeout(spread);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** False: it has ended, or is about to end. */
  #answers(): Promise<boolean> {
    return this.#link.ask({ ping: true }).then(
      () => true,
      () => false,
    );
  }

  #usage() {
    return usageOfTree(this.#child.pid!);
  }

  #watchHealth(everyMs: number): NodeJS.Timeout {
    let isAsked = false;
    let misses = 0;
    return setInterval(() => {
      if (isAsked) {
        misses += 1;
        if (misses >= missesAllowed) this.#kill('hung');
        return;
      }
      isAsked = true;
      const answered = () => {
        isAsked = false;
        misses = 0;
      };
      this.#link.ask({ ping: true }).then(answered, () => undefined);
    }, everyMs);
  }

  #kill(reason: OfficeEndReason, retryable = true): void {
    if (this.ended) return;
    this.#reason ??= reason;
    this.#retryable = retryable;
    this.#killGroup();
  }

  #killGroup(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  #end(): OfficeEnded {
    const code = this.#link.endedWith;
    const byItself =
      code === null ? this.#bridgeEnd() : code === KILLED ? 'killed' : (endsByLimit[code] ?? 'crashed');
    const isLimit = code !== null && code in endsByLimit;
    const retryable = this.#reason === null ? !isLimit : this.#retryable;
    return new OfficeEnded(this.#reason ?? byItself, { retryable, said: this.#said });
  }

  /** The end of a bridge that did not report how LibreOffice ended: somebody killed it, or it could not begin. */
  #bridgeEnd(): OfficeEndReason {
    const { exitCode } = this.#child;
    return exitCode === null || exitCode > exitBySignal ? 'killed' : 'failed';
  }
}
