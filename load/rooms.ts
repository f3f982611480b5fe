import { setTimeout as delay } from 'node:timers/promises';
import { CallbackStatus } from '../client/protocol/index.ts';
import { type Callback, fetchFile } from './integrator.ts';
import { fileDifference, logDifference } from './ledger.ts';
import type { LoadKind } from './load-kinds.ts';
import type { Meters } from './meters.ts';
import { Room } from './room.ts';

/** So many differences are told; all are counted. */
const differencesTold = 20;

/** One of the things that were compared. */
export interface Comparison {
  compared: number;
  different: number;
  differences: string[];
}

const none = (): Comparison => ({ compared: 0, different: 0, differences: [] });

/** What was compared, by what it was. */
export interface Comparisons {
  /** Acknowledged saves, looked for in the log of their document. */
  saves: Comparison;
  /** Delivered files, whose text was compared with what was acknowledged. */
  texts: Comparison;
  /** Documents with changes, of which a file has to come. */
  files: Comparison;
}

/** The documents of a generator: which are open, which are on their way back, and what came of those. */
export class Rooms {
  readonly compared: Comparisons = { saves: none(), texts: none(), files: none() };
  readonly #run: string;
  readonly #kind: LoadKind;
  readonly #sources: number;
  readonly #changesPerSave: number;
  readonly #meters: Meters;
  readonly #recordFile: (elapsedMs: number) => void;
  /** The room that newcomers of a document enter. */
  readonly #current = new Map<string, { room: Room; generation: number }>();
  /** By key: all whose end has not come. */
  readonly #open = new Map<string, Room>();

  /** @param run begins every key, so that no other run has the same keys */
  constructor(run: string, kind: LoadKind, sources: number, changesPerSave: number, meters: Meters) {
    this.#run = run;
    this.#kind = kind;
    this.#sources = sources;
    this.#changesPerSave = changesPerSave;
    this.#meters = meters;
    this.#recordFile = meters.latency('file');
  }

  /** The room of a document for somebody who comes: another one when all had left the last one after changes. */
  enter(document: string, number: number): Room {
    const current = this.#current.get(document);
    let room = current?.room;
    if (!current || !room || (room.present === 0 && room.isChanged)) {
      const generation = (current?.generation ?? -1) + 1;
      room = new Room(`${this.#run}-${document}-${generation}`, (number + generation) % this.#sources);
      this.#current.set(document, { room, generation });
    }
    this.#open.set(room.key, room);
    room.enter();
    return room;
  }

  /** Takes a callback: fetches file and log, and compares them with what was acknowledged. */
  async ended(callback: Callback): Promise<void> {
    const room = this.#open.get(callback.key);
    if (!room) return;
    if (callback.status === CallbackStatus.closed) {
      if (room.acknowledged > 0) this.#differ('files', room, 'closed without a file');
      if (room.present === 0) this.#open.delete(room.key);
      return;
    }
    const { status, url, changesurl } = callback;
    if (status !== CallbackStatus.mustSave) return this.#lost(room, `came back with status ${status}`);
    if (!url) return this.#lost(room, 'came back without its file: no url in the callback, signed or not');
    if (!changesurl)
      return this.#lost(room, 'came back without its log: no changesurl in the callback, signed or not');
    if (room.leftAtMs !== null) this.#recordFile(performance.now() - room.leftAtMs);
    try {
      const [file, archive] = await Promise.all([fetchFile(url), fetchFile(changesurl)]);
      this.#compare(room, file, archive);
    } catch (error) {
      this.#differ('files', room, `the file cannot be fetched: ${(error as Error).message}`);
    }
    this.#open.delete(room.key);
  }

  /** Takes note of a callback that is not the server's, by its token: nothing of it counts. */
  forged(key: string, reason: string): void {
    const room = this.#open.get(key);
    if (room) this.#lost(room, `the token of its callback is not good: ${reason}`);
  }

  /** Documents that were left and whose file has not come. */
  get awaited(): number {
    let count = 0;
    for (const room of this.#open.values()) if (room.present === 0 && room.isChanged) count += 1;
    return count;
  }

  /** Waits for the files of all documents that were left. Those that do not come are differences. */
  async settle(withinMs: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + withinMs;
    while (this.awaited > 0 && performance.now() < until && !signal.aborted) await delay(50);
    for (const room of this.#open.values()) {
      if (room.present === 0 && room.isChanged) {
        this.#differ('files', room, `no file came within ${Math.round(withinMs / 1_000)} s`);
      }
    }
  }

  #compare(room: Room, file: Uint8Array, archive: Uint8Array): void {
    this.compared.files.compared += 1;
    this.#meters.count('files');
    this.compared.texts.compared += 1;
    const inText = fileDifference(room, this.#kind, this.#changesPerSave, file);
    if (inText !== null) this.#tell('texts', room, inText);
    this.compared.saves.compared += room.acknowledged;
    const inLog = logDifference(room, this.#changesPerSave, archive);
    if (inLog !== null) this.#tell('saves', room, inLog);
  }

  /** A document that no file will come of. */
  #lost(room: Room, why: string): void {
    this.#differ('files', room, why);
    this.#open.delete(room.key);
  }

  #differ(what: keyof Comparisons, room: Room, difference: string): void {
    this.compared[what].compared += 1;
    this.#tell(what, room, difference);
  }

  #tell(what: keyof Comparisons, room: Room, difference: string): void {
    const comparison = this.compared[what];
    comparison.different += 1;
    this.#meters.count('differences');
    if (comparison.differences.length < differencesTold) {
      comparison.differences.push(`${room.key}: ${difference}`);
    }
  }
}
