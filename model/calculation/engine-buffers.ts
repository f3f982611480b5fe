import type { CellResult, CellValue } from './calculation.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** By their codes in `engine/src/values.rs`. */
const errors = [
  '#NULL!',
  '#DIV/0!',
  '#VALUE!',
  '#REF!',
  '#NAME?',
  '#NUM!',
  '#N/A',
  '#SPILL!',
  '#CALC!',
  '#CIRC!',
  '#N/IMPL!',
  '#ERROR!',
];
const codes = new Map(errors.map((error, code) => [error, code]));
/** Added to the code of an error that the formula of the cell itself has made. */
const OWN = 128;

/** Operations of `apply`, as in `engine/src/engine.rs`. */
export const operations = {
  number: 1,
  text: 2,
  boolean: 3,
  error: 4,
  clear: 5,
  dynamic: 6,
  single: 7,
  array: 8,
  rowHidden: 9,
  moveRows: 10,
  formulaText: 11,
} as const;

/** Writes numbers in little-endian order, and texts as their length in bytes and UTF-8. */
export class EngineWriter {
  #bytes = new Uint8Array(1 << 12);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  u8(value: number): this {
    this.#room(1);
    this.#view.setUint8(this.#length, value);
    this.#length += 1;
    return this;
  }

  u32(value: number): this {
    this.#room(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  f64(value: number): this {
    this.#room(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
    return this;
  }

  text(value: string): this {
    this.#room(4 + value.length * 3);
    const { written } = encoder.encodeInto(value, this.#bytes.subarray(this.#length + 4));
    this.#view.setUint32(this.#length, written, true);
    this.#length += 4 + written;
    return this;
  }

  /** Begins a record of `apply`. */
  record(operation: number, sheet: number, row: number, column: number): this {
    return this.u8(operation).u32(sheet).u32(row).u32(column);
  }

  /** A record that puts a value into a cell. Numbers that no cell can hold become `#NUM!`. */
  value(sheet: number, row: number, column: number, value: CellValue): this {
    switch (typeof value) {
      case 'number':
        if (!Number.isFinite(value)) return this.value(sheet, row, column, { error: '#NUM!' });
        return this.record(operations.number, sheet, row, column).f64(value);
      case 'string':
        return this.record(operations.text, sheet, row, column).text(value);
      case 'boolean':
        return this.record(operations.boolean, sheet, row, column).u8(value ? 1 : 0);
      default: {
        const code = codes.get(value.error) ?? codes.get('#VALUE!')!;
        return this.record(operations.error, sheet, row, column).u8(code);
      }
    }
  }

  #room(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + length));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** A result of the engine. `own` is set on errors that the formula of the cell itself has made. */
export interface EngineResult extends CellResult {
  readonly own?: boolean;
}

/** Reads what `changed` has answered (`engine/src/values.rs`). */
export function readChanges(bytes: Uint8Array): EngineResult[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(0, true);
  const textStart = 4 + count * 24;
  const results = new Array<EngineResult>(count);
  for (let index = 0, at = 4; index < count; index++, at += 24) {
    const sheet = view.getUint32(at, true);
    const row = view.getUint32(at + 4, true);
    const column = view.getUint32(at + 8, true);
    const bits = view.getUint32(at + 16, true);
    switch (view.getUint32(at + 12, true)) {
      case 1:
        results[index] = { sheet, row, column, value: view.getFloat64(at + 16, true) };
        break;
      case 2: {
        const start = textStart + bits;
        const text = decoder.decode(bytes.subarray(start, start + view.getUint32(at + 20, true)));
        results[index] = { sheet, row, column, value: text };
        break;
      }
      case 3:
        results[index] = { sheet, row, column, value: bits === 1 };
        break;
      case 4:
        results[index] = {
          sheet,
          row,
          column,
          value: { error: errors[bits % OWN]! },
          ...(bits >= OWN && { own: true }),
        };
        break;
      default:
        results[index] = { sheet, row, column, value: null };
    }
  }
  return results;
}

/** Why the engine refuses a record, by the numbers in `engine/src/engine.rs`. */
export const refusals = { unreadable: 1, unknownFunction: 2, insideArray: 3, noSuchSheet: 4 } as const;

export interface Refused {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  readonly why: number;
}

/** Reads what `apply` has answered. */
export function readRefused(bytes: Uint8Array): Refused[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const refused: Refused[] = [];
  for (let at = 0; at < bytes.byteLength; at += 16) {
    refused.push({
      sheet: view.getUint32(at, true),
      row: view.getUint32(at + 4, true),
      column: view.getUint32(at + 8, true),
      why: view.getUint32(at + 12, true),
    });
  }
  return refused;
}
