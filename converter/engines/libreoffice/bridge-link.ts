import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { CONVERSION_ERROR, ConversionError, type ConversionErrorName } from '../../errors.ts';
import type { OfficeTask } from './office-task.ts';

/** What is asked of the bridge; the head of `bridge/bridge.py` says what each means. */
type BridgeRequest =
  | { convert: OfficeTask; directory: string; cpuSeconds: number; progress: boolean }
  | { warm: string }
  | { ping: true }
  | { spread: true };

type BridgeAnswer =
  | { ready: true }
  | { ended: number | null }
  | { id: number; progress: number }
  | FinalAnswer;

type FinalAnswer =
  | { id: number; ok: true }
  | { id: number; ok: false; kind: string; message: string; detail: string };

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
  onProgress: ((share: number) => void) | undefined;
}

/** Requests to a bridge and its answers, a line of JSON each. */
export class BridgeLink {
  readonly #input: Writable;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #closed: Error | null = null;
  /** Exit code of LibreOffice, negative for a signal, once the bridge has said it. */
  endedWith: number | null = null;
  /** Settles when LibreOffice can be used. */
  readonly ready: Promise<void>;
  #becomeReady = (): void => undefined;
  #failToBeReady = (_error: Error): void => undefined;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    // A caller that writes to a process that has just ended is rejected by its end.
    input.on('error', () => undefined);
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#failToBeReady = reject;
    });
    this.ready.catch(() => undefined);
    createInterface({ input: output }).on('line', (line) => this.#hear(line));
  }

  /** @throws ConversionError, and what the link was closed with */
  ask(request: BridgeRequest, onProgress?: (share: number) => void): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = ++this.#asked;
    const { promise, resolve, reject } = promiseWithEnds();
    this.#waiting.set(id, { resolve, reject, onProgress });
    this.#input.write(`${JSON.stringify({ id, ...request })}\n`);
    return promise;
  }

  /** Everybody who waits hears this. */
  close(error: Error): void {
    this.#closed ??= error;
    this.#failToBeReady(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #hear(line: string): void {
    const answer = answerIn(line);
    if (answer === null) return;
    if ('ready' in answer) this.#becomeReady();
    else if ('ended' in answer) this.endedWith = answer.ended;
    else if ('progress' in answer) this.#waiting.get(answer.id)?.onProgress?.(answer.progress);
    else this.#settle(answer);
  }

  #settle(answer: FinalAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.ok) waiting?.resolve();
    else waiting?.reject(errorOf(answer));
  }
}

/** What a library prints among the answers is none. */
function answerIn(line: string): BridgeAnswer | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as BridgeAnswer;
  } catch {
    return null;
  }
}

const isErrorName = (kind: string): kind is ConversionErrorName => Object.hasOwn(CONVERSION_ERROR, kind);

function errorOf({ kind, message, detail }: { kind: string; message: string; detail: string }): Error {
  const cause = detail === '' ? undefined : { cause: new Error(detail) };
  return new ConversionError(isErrorName(kind) ? kind : 'convert', message, cause);
}

function promiseWithEnds(): {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
} {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { promise, resolve, reject };
}
