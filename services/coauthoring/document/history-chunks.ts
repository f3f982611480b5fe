import { joinedParts } from '../../../platform/json-in-turns/pieces.ts';
import { nextTurn } from '../../../platform/json-in-turns/turn.ts';
import type { ChangeLog } from '../../../platform/ports/change-log.ts';
import { Frame } from '../../../platform/ports/peer.ts';
import { noSessionMetrics, type SessionMetrics } from '../../../platform/ports/session-metrics.ts';
import { type BatchPiece, changesFrom, pieceCharacters, piecesOf, quoteAlone } from './changes-message.ts';

/** Something that keeps what could be made again. */
interface Forgetful {
  /** Gives back everything it keeps. */
  forget(): void;
}

/**
 * Bounds what all documents together keep of their encoded histories. When there is too much, the one that was used
 * longest ago gives everything back.
 */
export class HistoryMemory {
  readonly #limitBytes: number;
  /** By when they were used last, the longest ago first. */
  readonly #held = new Map<Forgetful, number>();
  #heldBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** `holder` is in use and holds so much now. */
  used(holder: Forgetful, bytes: number): void {
    this.#heldBytes += bytes - (this.#held.get(holder) ?? 0);
    this.#held.delete(holder);
    if (bytes > 0) this.#held.set(holder, bytes);
    for (const longestAgo of this.#held.keys()) {
      if (this.#heldBytes <= this.#limitBytes) return;
      // Also the one in use, when it alone is too large: what it gave out stays valid.
      longestAgo.forget();
    }
  }
}

/** The text, and the frame of a transport. */
const copiesHeld = 2;

/** The changes `[firstIndex, nextIndex)` as an `authChanges` message. */
interface Chunk {
  firstIndex: number;
  nextIndex: number;
  /** The changes alone, for the chunk that may still grow; null when it is complete. */
  objects: string | null;
  frame: Frame;
}

/** The log from an index on, in chunks by their first indexes. */
interface Series {
  readonly firstIndex: number;
  readonly chunks: Map<number, Chunk>;
}

const seriesFrom = (firstIndex: number): Series => ({ firstIndex, chunks: new Map() });

/**
 * A document's log as newcomers get it, encoded once for all of them: somebody who comes late into a long session costs
 * no more than the sending. It is kept from its beginning and from the newest checkpoint. It may be forgotten at any
 * time, and is then made again from the log.
 */
export class HistoryChunks implements Forgetful {
  readonly #key: string;
  readonly #log: ChangeLog;
  readonly #memory: HistoryMemory;
  readonly #metrics: Pick<SessionMetrics, 'historyRead'>;
  readonly #whole = seriesFrom(0);
  /** Null until somebody comes to a checkpoint. */
  #tail: Series | null = null;
  readonly #making = new Map<string, Promise<Chunk | null>>();
  #logVersion = 0;
  /** Rises when something was taken out of the log: what was read before is not kept. */
  #edition = 0;

  constructor(
    key: string,
    log: ChangeLog,
    memory: HistoryMemory,
    metrics: Pick<SessionMetrics, 'historyRead'> = noSessionMetrics,
  ) {
    this.#metrics = metrics;
    this.#key = key;
    this.#log = log;
    this.#memory = memory;
  }

  /** The changes `[firstIndex, endIndex)`, in order; `firstIndex` is 0 or that of a checkpoint. */
  async *between(firstIndex: number, endIndex: number): AsyncGenerator<Frame> {
    for (let index = firstIndex; index < endIndex; ) {
      const chunk = await this.#chunkAt(this.#seriesOf(firstIndex), index, endIndex);
      if (!chunk) return;
      yield chunk.frame;
      index = chunk.nextIndex;
    }
  }

  /** Everything from an index on was taken out of the log. */
  cutFrom(index: number): void {
    this.#edition += 1;
    if (this.#tail && index < this.#tail.firstIndex) this.#tail = null;
    for (const { chunks } of this.#kept) {
      for (const [firstIndex, { nextIndex }] of chunks) {
        if (nextIndex > index) chunks.delete(firstIndex);
      }
    }
    this.#account();
  }

  /** Takes over the version of the log in the database, where others may have begun a new log. */
  keepOnly(logVersion: number): void {
    if (logVersion !== this.#logVersion) this.forget();
    this.#logVersion = logVersion;
  }

  forget(): void {
    this.#edition += 1;
    this.#whole.chunks.clear();
    this.#tail = null;
    this.#memory.used(this, 0);
  }

  get #kept(): readonly Series[] {
    return this.#tail ? [this.#whole, this.#tail] : [this.#whole];
  }

  /** Only the newest checkpoint is of use to those who come later. */
  #seriesOf(firstIndex: number): Series {
    if (firstIndex === 0) return this.#whole;
    if (this.#tail?.firstIndex === firstIndex) return this.#tail;
    const series = seriesFrom(firstIndex);
    if (firstIndex > (this.#tail?.firstIndex ?? 0)) this.#tail = series;
    return series;
  }

  async #chunkAt(series: Series, index: number, endIndex: number): Promise<Chunk | null> {
    const known = series.chunks.get(index);
    if (known && (known.nextIndex === endIndex || (known.objects === null && known.nextIndex < endIndex))) {
      this.#metrics.historyRead(true);
      this.#account();
      return known;
    }
    this.#metrics.historyRead(false);
    // Many who come at once wait for the same chunk.
    const name = `${this.#edition} ${series.firstIndex} ${index} ${endIndex}`;
    let making = this.#making.get(name);
    if (!making) {
      const begin = known && known.nextIndex < endIndex ? known : null;
      making = this.#make(series, index, endIndex, begin).finally(() => this.#making.delete(name));
      this.#making.set(name, making);
    }
    return making;
  }

  /** Makes a chunk, or continues one that is not complete. Null when the log holds nothing there. */
  async #make(
    { chunks }: Series,
    firstIndex: number,
    endIndex: number,
    begun: Chunk | null,
  ): Promise<Chunk | null> {
    const edition = this.#edition;
    const texts: string[] = begun?.objects ? [begun.objects] : [];
    let characters = begun?.objects?.length ?? 0;
    let nextIndex = begun?.nextIndex ?? firstIndex;
    let isComplete = false;
    for await (const piece of this.#pieces(nextIndex, endIndex)) {
      isComplete = texts.length > 0 && characters + piece.characters > pieceCharacters;
      if (isComplete) break;
      if (texts.length > 0) texts.push(',');
      for (const part of piece.objects) texts.push(part);
      characters += piece.characters;
      nextIndex = piece.nextIndex;
    }
    if (nextIndex === firstIndex) return null;
    const isLong = isComplete || characters >= pieceCharacters;
    const objects = isLong ? joinedParts(texts) : [texts.join('')];
    const chunk: Chunk = {
      firstIndex,
      nextIndex,
      objects: isLong ? null : objects[0]!,
      frame: new Frame('{"type":"authChanges","changes":[', ...objects, ']}'),
    };
    const newer = (chunks.get(firstIndex)?.nextIndex ?? 0) > nextIndex;
    if (edition === this.#edition && !newer) {
      chunks.set(firstIndex, chunk);
      this.#account();
    }
    return chunk;
  }

  /** The log as messages hold it. */
  async *#pieces(firstIndex: number, endIndex: number): AsyncGenerator<BatchPiece, void, undefined> {
    for await (const page of this.#log.read(this.#key, firstIndex, endIndex)) {
      for (const stored of page) {
        const changes = await changesFrom(stored, firstIndex, nextTurn);
        yield* piecesOf(this.#key, stored, changes, await quoteAlone(stored, nextTurn));
      }
    }
  }

  #account(): void {
    let characters = 0;
    for (const { chunks } of this.#kept) {
      for (const { frame, objects } of chunks.values()) {
        characters += copiesHeld * frame.characters + (objects?.length ?? 0);
      }
    }
    this.#memory.used(this, characters);
  }
}
