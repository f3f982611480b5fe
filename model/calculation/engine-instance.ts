import { type EngineResult, EngineWriter, type Refused, readChanges, readRefused } from './engine-buffers.ts';
import type { Place } from './structured-reference.ts';

/** The engine, compiled: a `WebAssembly.Module`. */
export type EngineModule = object;

/** What is used of WebAssembly, which the types of Node do not have. */
interface WebAssemblyParts {
  readonly Module: new (bytes: Uint8Array) => EngineModule;
  readonly Instance: new (module: EngineModule) => { readonly exports: unknown };
  readonly RuntimeError: new () => Error;
}
const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyParts }).WebAssembly;

/**
 * Compiles the engine, for any number of workbooks. It takes about a tenth of a second: pages do it in a worker.
 * @param bytes those of `engine/calculation.wasm`
 */
export function compileEngine(bytes: Uint8Array): EngineModule {
  return new webAssembly.Module(bytes);
}

/** What the WebAssembly module has (`engine/src/lib.rs`). */
interface EngineExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  reserve(length: number): number;
  result_start(): number;
  result_length(): number;
  load(): void;
  limit(steps: number): void;
  apply(): void;
  recalculate(now: number, seed: number): void;
  changed(): void;
  evaluate(sheet: number, row: number, column: number, most: number): void;
  current(): void;
}

/** The engine broke down. The instance is of no use any more. */
export class EngineTrap extends Error {
  /** The cell whose formula was being read or calculated. */
  readonly sheet: number;
  readonly row: number;
  readonly column: number;

  constructor(place: { sheet: number; row: number; column: number }, cause: unknown) {
    super('The calculation engine broke down.', { cause });
    this.sheet = place.sheet;
    this.row = place.row;
    this.column = place.column;
  }
}

/** One workbook in one instance of the engine. Its calls throw `EngineTrap`. */
export class EngineInstance {
  readonly #exports: EngineExports;

  /** @throws Error when the workbook cannot be: a sheet's name is no name, or there twice, or the locale is unknown */
  constructor(module: EngineModule, workbook: EngineWriter) {
    this.#exports = new webAssembly.Instance(module).exports as unknown as EngineExports;
    this.#write(workbook.bytes);
    const problem = this.#guarded(() => {
      this.#exports.load();
      return new TextDecoder().decode(this.#result());
    });
    if (problem !== '') throw new Error(`The workbook cannot be calculated: ${problem}`);
  }

  /** @param steps how many all formulas together may take from now on; then each has few */
  limit(steps: number): void {
    this.#exports.limit(steps);
  }

  apply(records: EngineWriter): Refused[] {
    return this.#guarded(() => {
      this.#write(records.bytes);
      this.#exports.apply();
      return readRefused(this.#result());
    });
  }

  /** @param now the local time as a serial number of days */
  recalculate(now: number, seed: number): void {
    this.#guarded(() => this.#exports.recalculate(now, seed));
  }

  changed(): EngineResult[] {
    return this.#guarded(() => {
      this.#exports.changed();
      return readChanges(this.#result());
    });
  }

  /** The first values of a formula that is in no cell, as seen from one; none where it is refused. After `recalculate`. */
  evaluate({ sheet, row, column }: Place, formula: string, most: number): EngineResult['value'][] {
    return this.#guarded(() => {
      this.#write(new EngineWriter().text(formula).bytes);
      this.#exports.evaluate(sheet, row, column, most);
      return readChanges(this.#result()).map(({ value }) => value);
    });
  }

  #write(bytes: Uint8Array): void {
    const start = this.#exports.reserve(bytes.length);
    new Uint8Array(this.#exports.memory.buffer).set(bytes, start);
  }

  /** Good until the next call. */
  #result(): Uint8Array {
    const { memory, result_start, result_length } = this.#exports;
    return new Uint8Array(memory.buffer, result_start(), result_length());
  }

  #guarded<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof webAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.#exports.current();
      const place = new Uint32Array(this.#result().slice().buffer);
      throw new EngineTrap({ sheet: place[0]!, row: place[1]!, column: place[2]! }, error);
    }
  }
}
