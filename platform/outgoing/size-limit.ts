import { Transform, type TransformCallback } from 'node:stream';
import { RequestError } from './request-error.ts';

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
