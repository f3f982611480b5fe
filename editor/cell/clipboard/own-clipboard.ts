import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Area } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { structureMapsOf } from '../../../model/cell/structure-map.ts';
import type { Copied } from './copied.ts';

/** What was copied in this page last: cells, or a drawing. */
export class OwnClipboard {
  readonly #cells: Signal<Copied | null> = signal(null);
  #drawing: string | null = null;

  /** The cells; also those that were copied before a drawing are gone. */
  get cells(): ReadonlySignal<Copied | null> {
    return this.#cells;
  }

  /** The drawing, as pages of ours paste it. */
  get drawing(): string | null {
    return this.#drawing;
  }

  copyCells(copied: Copied): void {
    this.#drawing = null;
    this.#cells.value = copied;
  }

  copyDrawing(text: string): void {
    this.#cells.value = null;
    this.#drawing = text;
  }

  /** What was copied or cut has no frame any more, and what was cut is no longer moved. It stays on the clipboard. */
  endFrame(): void {
    const copied = this.#cells.peek();
    if (copied?.isFramed) this.#cells.value = { ...copied, isFramed: false };
  }

  /** This person has changed something: the frame goes where cells were moved, as it would stand around others. */
  made(operations: readonly CellOperation[]): void {
    if (operations.some((operation) => structureMapsOf(operation).length > 0)) this.endFrame();
  }

  /** Others have moved cells: what was copied has come to where `placeOf` says; null: it is gone. */
  follow(placeOf: (sheet: string, area: Area) => Area | null): void {
    const copied = this.#cells.peek();
    if (!copied) return;
    const areas = copied.areas.map((area) => placeOf(copied.sheet, area));
    if (areas.every((area) => area !== null)) this.#cells.value = { ...copied, areas };
    else this.endFrame();
  }

  /** Cells that were cut are at another place now. */
  cellsMoved(): void {
    this.#cells.value = null;
  }
}
