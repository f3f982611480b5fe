import { Transform, type TransformCallback } from 'node:stream';
import { RequestError } from './request-error.ts';

/**
 * A time limit for a piece of work, joined with the caller's own signal. Not `AbortSignal.any` over
 * `AbortSignal.timeout`: in Node 20 the joined signal may be collected before it fires. Release it when the
 * work has ended.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #parent: AbortSignal | undefined;

  constructor(timeoutMs: number, parent?: AbortSignal) {
    this.#parent = parent;
    this.#timer = setTimeout(() => this.#end('TimeoutError'), timeoutMs);
    if (parent?.aborted) this.#cancel();
    else parent?.addEventListener('abort', this.#cancel, { once: true });
  }

  /** Aborted with a `TimeoutError`, also where that is what ended the caller's signal, or else with an `AbortError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#parent?.removeEventListener('abort', this.#cancel);
  }

  readonly #cancel = (): void =>
    this.#end(
      (this.#parent?.reason as Error | undefined)?.name === 'TimeoutError' ? 'TimeoutError' : 'AbortError',
    );

  #end(name: 'TimeoutError' | 'AbortError'): void {
    this.#controller.abort(new DOMException(name === 'TimeoutError' ? 'Time is up' : 'Cancelled', name));
    this.release();
  }
}

/** Passes bytes on up to a limit; one more ends the stream with a {@link RequestError} of `size`. */
export class SizeLimit extends Transform {
  readonly #maxSizeBytes: number;
  #sizeBytes = 0;

  constructor(maxSizeBytes: number) {
    super();
    this.#maxSizeBytes = maxSizeBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#sizeBytes += chunk.byteLength;
    if (this.#sizeBytes <= this.#maxSizeBytes) done(null, chunk);
    else done(new RequestError('size', `The file is larger than ${this.#maxSizeBytes} bytes`));
  }
}
