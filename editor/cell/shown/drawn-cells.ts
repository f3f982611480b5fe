import type { Cell } from '../../../model/cell/cell.ts';
import type { CellFormat } from '../../../model/cell/cell-format.ts';
import { type FormatSettings, shownValue } from '../../../model/cell/formats/shown-value.ts';
import type { Formula } from '../../../model/cell/formula/formula.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import { isErrorValue, isRichText, textOfValue } from '../../../model/cell/values.ts';
import { hasDecimalComma } from '../editing/local-formula.ts';
import { shownFormula } from '../editing/typed-formula.ts';
import type { DrawnCell } from '../grid/drawn-sheet.ts';
import type { FormatLooks } from './format-looks.ts';

export interface DrawnCellsOptions {
  readonly looks: FormatLooks;
  readonly formatOf: (index: number) => CellFormat;
  readonly settings: FormatSettings;
  readonly hidesZeros: boolean;
  readonly showsFormulas: boolean;
  /** The sheet is protected: formulas whose format hides them are kept from people. */
  readonly isProtected: boolean;
}

/** Cells as they are drawn. A cell never changes, so each is made once. */
export class DrawnCells {
  readonly #options: DrawnCellsOptions;
  readonly #shown = new WeakMap<Cell, { readonly value: CellValue; readonly cell: DrawnCell }>();
  readonly #blank = new Map<number, DrawnCell>();

  constructor(options: DrawnCellsOptions) {
    this.#options = options;
  }

  /** @param value what the cell comes to: for a formula that may be newer than what the cell has */
  of(cell: Cell, value: CellValue = cell.value): DrawnCell {
    const known = this.#shown.get(cell);
    if (known && known.value === value) return known.cell;
    const made = this.#make(cell, value);
    this.#shown.set(cell, { value, cell: made });
    return made;
  }

  /** A cell that has nothing of its own, into which a formula spills. */
  spilled(value: CellValue, format: number): DrawnCell {
    return this.#make({ formula: null, format }, value);
  }

  /** A cell that only looks like something. */
  blank(format: number): DrawnCell {
    let blank = this.#blank.get(format);
    if (!blank) {
      const look = this.#options.looks.of(this.#options.formatOf(format));
      blank = { kind: 'blank', text: '', look, runs: null, color: null, general: null };
      this.#blank.set(format, blank);
    }
    return blank;
  }

  /** A formula as people read it. */
  #textOf(formula: Formula): string {
    const writing = { hasDecimalComma: hasDecimalComma(this.#options.settings.locale) };
    return `=${shownFormula(formula.toJSON(), writing)}`;
  }

  #make({ formula, format }: Pick<Cell, 'formula' | 'format'>, value: CellValue): DrawnCell {
    const { looks, formatOf, settings, hidesZeros, showsFormulas, isProtected } = this.#options;
    const cellFormat = formatOf(format);
    const look = looks.of(cellFormat);
    const plain = { look, runs: null, color: null, general: null };
    const shown = isProtected && cellFormat.protection?.hidden ? null : formula;
    if (shown && showsFormulas) return { kind: 'text', text: this.#textOf(shown), ...plain };
    if (value === null) {
      if (!shown) return this.blank(format);
      // Nobody has calculated it yet: what it is says more than nothing.
      return { kind: 'text', text: this.#textOf(shown), ...plain, marks: { stale: true } };
    }
    const pattern = cellFormat.number ?? 'General';
    if (typeof value === 'number') {
      if (value === 0 && hidesZeros) return { kind: 'number', text: '', ...plain };
      return { kind: 'number', ...plain, ...shownValue(value, pattern, settings) };
    }
    if (typeof value === 'string') return { kind: 'text', ...plain, ...shownValue(value, pattern, settings) };
    if (typeof value === 'boolean') return { kind: 'boolean', text: textOfValue(value), ...plain };
    if (isErrorValue(value)) return { kind: 'error', text: value.e, ...plain };
    if (!isRichText(value)) return this.blank(format);
    const runs = value.r.map(({ t, font }) => ({ text: t, look: looks.textLook(font, look.text) }));
    return { ...plain, kind: 'text', text: textOfValue(value), runs: runs.length > 0 ? runs : null };
  }
}
