import { EditorType } from '../../../client/protocol/codes.ts';
import type { TestIntegrator } from '../integrator.ts';
import { buildXlsx } from '../xlsx-fixture.ts';
import { workbookSource } from './cell-client.ts';
import type { Family } from './history.ts';
import type { KeptModel } from './kept-texts.ts';
import { wordSource } from './word-client.ts';

/** A document that people edit, one key after the other: when a key has been handed over, they go on with the next. */
export class Seat {
  readonly name: string;
  readonly families: readonly Family[];
  readonly editorType: number;
  /** How many edit, and how many look on. */
  readonly editors: number;
  readonly viewers: number;
  readonly sourceUrl: string;
  readonly #callbackUrl: (key: string) => string;
  readonly #keys: string[] = [];

  constructor(
    name: string,
    families: readonly Family[],
    { editorType = 0, editors = 3, viewers = 1 },
    integrator: TestIntegrator,
  ) {
    this.name = name;
    this.families = families;
    this.editorType = editorType;
    this.editors = editors;
    this.viewers = viewers;
    this.sourceUrl =
      this.model === 'cell'
        ? integrator.serve('faults-cells.xlsx', { bytes: workbookSource() })
        : editorType === EditorType.spreadsheet
          ? integrator.serve('faults.xlsx', { bytes: buildXlsx([['A1', 1]]) })
          : integrator.serve('faults.docx', { bytes: wordSource() });
    this.#callbackUrl = (key) => integrator.callbackUrl(key);
    this.#keys.push(`${name}-1`);
  }

  /** The model of ours that its documents have; null: none. */
  get model(): KeptModel | null {
    return (['word', 'cell'] as const).find((model) => this.families.includes(model)) ?? null;
  }

  /** Whether the only editor takes back much of what it has saved. */
  get isForUndo(): boolean {
    return this.editors === 1;
  }

  /** The key to open now. */
  get key(): string {
    return this.#keys.at(-1)!;
  }

  /** Every key so far. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  get callbackUrl(): string {
    return this.#callbackUrl(this.key);
  }

  /** A key has been handed over. */
  over(key: string): void {
    if (key === this.key) this.#keys.push(`${this.name}-${this.#keys.length + 1}`);
  }
}

/**
 * So many documents of each kind: of our models of texts and of workbooks; of logs that nobody reads, with locks of texts and of sheets; and of
 * an editor who is alone and rewrites the end of the log while others look on.
 */
export function makeSeats(count: number, integrator: TestIntegrator): Seat[] {
  return Array.from({ length: count }, (_, number) => [
    new Seat(`word-${number}`, ['word'], {}, integrator),
    new Seat(`cell-${number}`, ['cell'], { editorType: 1 }, integrator),
    new Seat(`text-${number}`, ['other', 'library'], {}, integrator),
    new Seat(`sheet-${number}`, ['other'], { editorType: 1 }, integrator),
    new Seat(`undo-${number}`, ['other'], { editors: 1, viewers: 2 }, integrator),
  ]).flat();
}
