import type { Area } from '../../../model/cell/area.ts';
import type { Font } from '../../../model/cell/cell-format.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { placeIn } from '../../../model/cell/row.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import { itemsOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';
import { sheetColumns } from '../../../model/cell-address.ts';
import type { RuleFormula } from '../calculation/rule-answers.ts';
import type { Axis } from '../grid/axis.ts';
import { type CellRange, rangeOfArea } from '../grid/cell-range.ts';
import type { Outline } from '../grid/outline.ts';
import type { CellMarks, ShownCell, ShownSheet } from '../grid/shown-sheet.ts';
import { CellLooks } from './cell-looks.ts';
import { ConditionalFormats } from './conditional-formats.ts';
import { serialOfDay } from './date-periods.ts';
import { MergeIndex } from './merge-index.ts';
import { columnAxis, columnOutlineOf, type Scale, SheetRows } from './sheet-axes.ts';
import { ShownCells } from './shown-cells.ts';
import { TableLooks } from './table-looks.ts';

/** Values of formulas, and what they spill, as they were calculated; undefined where a cell is as the workbook has it. */
export type ValueOf = (sheet: string, row: number, column: number) => CellValue | undefined;

/** What a formula of a rule comes to in a cell. Undefined while it is not calculated. */
export type FormulaValue = (
  sheet: string,
  formula: RuleFormula,
  row: number,
  column: number,
) => CellValue | undefined;

/** What everything of a workbook is shown with. */
export interface WorkbookLook {
  readonly settings: FormatSettings;
  readonly scale: Scale;
  readonly valueOf: ValueOf;
  /** Whether a cell keeps a stored value, since its formula cannot be calculated. */
  readonly isStale: (sheet: string, row: number, column: number) => boolean;
  readonly formulaValue: FormulaValue;
}

/** The font of everything that says no other. */
export const normalFont = ({ properties, formats }: Workbook): Font | undefined =>
  properties.styles?.Normal?.font ?? formats.at(0).font;

/** What is the same from one version of a workbook to the next, mostly: made anew only where it is not. */
export class WorkbookShow {
  #workbook: Workbook | null = null;
  #looks: CellLooks | null = null;
  readonly #cells = new Map<
    string,
    { readonly about: string; readonly looks: CellLooks; readonly cells: ShownCells }
  >();

  /** How the formats of a workbook look. */
  looks(workbook: Workbook): CellLooks {
    const before = this.#workbook;
    const isLike =
      before !== null &&
      before.properties.theme === workbook.properties.theme &&
      normalFont(before) === normalFont(workbook);
    if (!this.#looks || !isLike) {
      this.#looks = new CellLooks(workbook.properties.theme?.colors, normalFont(workbook));
    }
    this.#workbook = workbook;
    return this.#looks;
  }

  /** The cells of a sheet as they are drawn. */
  cells(workbook: Workbook, { properties }: Sheet, settings: FormatSettings): ShownCells {
    const hidesZeros = properties.hidesZeros === true;
    const showsFormulas = properties.showsFormulas === true;
    const looks = this.looks(workbook);
    const key = `${hidesZeros} ${showsFormulas}`;
    const about = `${settings.locale} ${settings.date1904}`;
    const known = this.#cells.get(key);
    if (known?.about === about && known.looks === looks) return known.cells;
    const cells = new ShownCells({
      looks,
      // Formats are only ever added: what an earlier version says of one is true of the latest.
      formatOf: (index) => this.#workbook!.formats.at(index),
      settings,
      hidesZeros,
      showsFormulas,
    });
    this.#cells.set(key, { about, looks, cells });
    return cells;
  }
}

/** A sheet of a workbook as the grid draws it. */
export class SheetView implements ShownSheet {
  readonly sheet: Sheet;
  readonly rows: Axis;
  readonly columns: Axis;
  readonly rowOutline: Outline;
  readonly columnOutline: Outline;
  readonly frozenRows: number;
  readonly frozenColumns: number;
  readonly isRightToLeft: boolean;
  readonly showsGridlines: boolean;
  readonly zoom: number;
  readonly used: CellRange | null;
  readonly #rows: SheetRows;
  readonly #cells: ShownCells;
  readonly #merges: MergeIndex;
  readonly #marks: ReadonlyMap<number, CellMarks>;
  readonly #columnFormats: ReadonlyMap<number, number>;
  readonly #valueOf: ValueOf;
  readonly #isStale: WorkbookLook['isStale'];
  readonly #scale: Scale;
  readonly #looks: CellLooks;
  readonly #formats: Workbook['formats'];
  readonly #tables: TableLooks | null;
  /** Null where the sheet has none. */
  readonly #conditions: ConditionalFormats | null;

  /** @param before the view of an earlier version of the same sheet: what is equal is taken from it */
  constructor(
    workbook: Workbook,
    sheet: Sheet,
    show: WorkbookShow,
    look: WorkbookLook,
    before: SheetView | null,
  ) {
    const last = before?.sheet.id === sheet.id ? before : null;
    const { properties } = sheet;
    const { scale } = look;
    this.sheet = sheet;
    this.zoom = scale.zoom;
    this.frozenRows = properties.frozen?.rows ?? 0;
    this.frozenColumns = properties.frozen?.columns ?? 0;
    this.isRightToLeft = properties.rightToLeft === true;
    this.showsGridlines = properties.hidesGridlines !== true;
    this.#scale = scale;
    this.#valueOf = look.valueOf;
    this.#isStale = look.isStale;
    this.#cells = show.cells(workbook, sheet, look.settings);
    const isSameScale =
      last !== null &&
      last.#scale.zoom === scale.zoom &&
      last.#scale.pixelRatio === scale.pixelRatio &&
      last.#scale.digitPx === scale.digitPx;
    this.#rows = SheetRows.of(sheet, last === null ? null : last.#rows);
    this.rows = isSameScale && last.#rows.isLike(this.#rows) ? last.rows : this.#rows.axis(scale);
    const hasSameColumns =
      isSameScale &&
      last.sheet.columns === sheet.columns &&
      last.sheet.properties.columnWidth === properties.columnWidth;
    this.columns = hasSameColumns ? last.columns : columnAxis(sheet, scale);
    this.rowOutline = this.#rows.outline(properties.summaryAbove === true);
    this.columnOutline =
      hasSameColumns && last.sheet.properties.summaryLeft === properties.summaryLeft
        ? last.columnOutline
        : columnOutlineOf(sheet);
    this.#columnFormats =
      last !== null && last.sheet.columns === sheet.columns ? last.#columnFormats : columnFormats(sheet);
    this.used = this.#rows.used;
    const merges = itemsOf(sheet, 'merge');
    this.#merges =
      last && itemsOf(last.sheet, 'merge') === merges
        ? last.#merges
        : new MergeIndex([...merges.values()].map(({ area }) => rangeOfArea(area)));
    this.#looks = show.looks(workbook);
    this.#formats = workbook.formats;
    const conditions = itemsOf(sheet, 'condition').size > 0;
    this.#conditions = conditions
      ? new ConditionalFormats({
          sheet,
          looks: this.#looks,
          used: this.used,
          valueAt: (row, column) => this.valueAt(row, column),
          formulaValue: (formula, row, column) => look.formulaValue(sheet.id, formula, row, column),
          isFrom1904: workbook.properties.date1904 === true,
          today: serialOfDay(new Date(), workbook.properties.date1904 === true),
        })
      : null;
    const tables = new TableLooks(sheet, this.#looks);
    this.#tables = tables.isEmpty ? null : tables;
    this.#marks = last && last.sheet.items === sheet.items ? last.#marks : marksOf(sheet);
  }

  cellAt(row: number, column: number): ShownCell | null {
    const stored = this.sheet.grid.row(row);
    const at = stored ? placeIn(stored.columns, column) : -1;
    const marks = this.#marksOf(row, column);
    const calculated = this.#valueOf(this.sheet.id, row, column);
    if (stored && at >= 0) {
      const cell = stored.cells[at]!;
      const value = calculated ?? cell.value;
      const shown = this.#conditioned(this.#cells.of(cell, value), row, column, cell.format);
      return marks ? { ...shown, marks } : shown;
    }
    const format = stored?.line.format ?? this.#columnFormats.get(column) ?? 0;
    if (format === 0 && !marks && calculated === undefined && !this.#tables?.has(row, column)) return null;
    const bare =
      calculated === undefined ? this.#cells.blank(format) : this.#cells.spilled(calculated, format);
    const blank = this.#conditioned(bare, row, column, format);
    return marks ? { ...blank, marks } : blank;
  }

  #marksOf(row: number, column: number): CellMarks | undefined {
    const marks = this.#marks.get(row * sheetColumns + column);
    return this.#isStale(this.sheet.id, row, column) ? { ...marks, stale: true } : marks;
  }

  /** The cell with what conditions make of its looks. */
  #conditioned(given: ShownCell, row: number, column: number, format: number): ShownCell {
    const found = this.#conditions?.at(row, column, this.#formats.at(format)) ?? null;
    const tabled = this.#tables?.at(row, column, given.look) ?? given.look;
    const cell = tabled === given.look ? given : { ...given, look: tabled };
    if (!found) return cell;
    const own = this.#looks.of(found.format);
    const looks = this.#tables?.at(row, column, own) ?? own;
    const look =
      found.fill === null ? looks : { ...looks, fill: { kind: 'solid' as const, color: found.fill } };
    // The colour of a condition comes before that of the number format.
    const color = looks.text.color === cell.look.text.color ? cell.color : null;
    return {
      ...cell,
      look,
      color,
      ...(found.bar && { bar: found.bar }),
      ...(found.icon && { icon: found.icon }),
      ...(found.hidesText && { text: '', runs: null, general: null }),
    };
  }

  mergeAt(row: number, column: number): CellRange | null {
    return this.#merges.at(row, column);
  }

  mergesIn(range: CellRange): readonly CellRange[] {
    return this.#merges.in(range);
  }

  /** A cell that has nothing. */
  get plain(): ShownCell {
    return this.#cells.blank(0);
  }

  /** The place of the format that a cell has, or would have. */
  formatAt(row: number, column: number): number {
    const stored = this.sheet.grid.row(row);
    const at = stored ? placeIn(stored.columns, column) : -1;
    if (stored && at >= 0) return stored.cells[at]!.format;
    return stored?.line.format ?? this.#columnFormats.get(column) ?? 0;
  }

  /** What a cell comes to, with what was calculated since. */
  valueAt(row: number, column: number): CellValue {
    return this.#valueOf(this.sheet.id, row, column) ?? this.sheet.grid.cell(row, column).value;
  }
}

function columnFormats({ columns }: Sheet): ReadonlyMap<number, number> {
  const formats = new Map<number, number>();
  for (const [first, count, { format }] of columns.runs) {
    if (format === undefined) continue;
    for (let column = first; column < first + count; column++) formats.set(column, format);
  }
  return formats;
}

/** Marks and buttons of cells, by row times as many columns as there are, plus the column. */
function marksOf(sheet: Sheet): ReadonlyMap<number, CellMarks> {
  const marks = new Map<number, CellMarks>();
  const add = (row: number, column: number, more: CellMarks) => {
    const key = row * sheetColumns + column;
    marks.set(key, { ...marks.get(key), ...more });
  };
  for (const { cell, parent, isNote } of itemsOf(sheet, 'comment').values()) {
    if (parent === undefined) add(cell[0], cell[1], isNote ? { note: true } : { comment: true });
  }
  const filtersOf = (
    area: Area,
    columns: readonly { column: number; hidesButton?: boolean | undefined }[],
  ) => {
    for (let column = area[1]; column <= area[3]; column++) {
      const filter = columns.find((one) => one.column === column - area[1]);
      if (!filter?.hidesButton) add(area[0], column, { filter: filter ? 'on' : 'off' });
    }
  };
  for (const { area, columns } of itemsOf(sheet, 'filter').values()) filtersOf(area, columns);
  for (const { area, hasHeader, hidesButtons, filter } of itemsOf(sheet, 'table').values()) {
    if (hasHeader && !hidesButtons) filtersOf(area, filter ?? []);
  }
  return marks;
}
