import type { Area } from '../../../model/cell/area.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import { placeIn } from '../../../model/cell/row.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import { itemsOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';
import { sheetColumns } from '../../../model/cell-address.ts';
import type { RuleFormula } from '../calculation/rule-answers.ts';
import type { Axis } from '../grid/axis.ts';
import type { CellMarks, ConditionPainters, DrawnCell, DrawnSheet } from '../grid/drawn-sheet.ts';
import type { Outline } from '../grid/outline.ts';
import type { FontMeasures } from '../grid/text-painter.ts';
import type { ConditionalFormats } from './conditional-formats.ts';
import { serialOfDay } from './date-periods.ts';
import type { DrawnCells } from './drawn-cells.ts';
import { FittingRows } from './fitting-rows.ts';
import type { FormatLooks } from './format-looks.ts';
import { MergeIndex } from './merge-index.ts';
import type { SceneCache } from './scene-cache.ts';
import { columnAxis, columnOutlineOf, type Scale, SheetRows } from './sheet-axes.ts';
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

/** What every scene of a workbook is made with. */
export interface SceneInput {
  readonly settings: FormatSettings;
  readonly scale: Scale;
  readonly measures: FontMeasures;
  readonly valueOf: ValueOf;
  /** Whether a cell keeps a stored value, since its formula cannot be calculated. */
  readonly isStale: (sheet: string, row: number, column: number) => boolean;
  readonly formulaValue: FormulaValue;
  /** What conditional formats are shown by; without it they are not. */
  readonly conditionalFormats?: typeof ConditionalFormats | null;
}

function pageBreaksOf(sheet: Sheet): DrawnSheet['pageBreaks'] {
  const breaks = [...itemsOf(sheet, 'pageBreak').values()];
  return {
    rows: breaks.flatMap(({ axis, cell }) => (axis === 'row' ? [cell[0]] : [])),
    columns: breaks.flatMap(({ axis, cell }) => (axis === 'column' ? [cell[1]] : [])),
  };
}

/** A sheet of one version of a workbook, made into what the grid draws. */
export class SheetScene implements DrawnSheet {
  readonly sheet: Sheet;
  readonly conditionPainters: ConditionPainters | null;
  readonly rows: Axis;
  readonly columns: Axis;
  readonly rowOutline: Outline;
  readonly columnOutline: Outline;
  readonly frozenRows: number;
  readonly frozenColumns: number;
  readonly isRightToLeft: boolean;
  readonly showsGridlines: boolean;
  readonly showsHeadings: boolean;
  readonly pageBreaks: DrawnSheet['pageBreaks'];
  readonly zoom: number;
  readonly used: Area | null;
  readonly #rows: SheetRows;
  readonly #fitting: FittingRows;
  readonly #cells: DrawnCells;
  readonly #merges: MergeIndex;
  readonly #marks: ReadonlyMap<number, CellMarks>;
  readonly #columnFormats: ReadonlyMap<number, number>;
  readonly #valueOf: ValueOf;
  readonly #isStale: SceneInput['isStale'];
  readonly #scale: Scale;
  readonly #looks: FormatLooks;
  readonly #formats: Workbook['formats'];
  readonly #tables: TableLooks | null;
  /** Null where the sheet has none. */
  readonly #conditions: ConditionalFormats | null;

  /** @param before the scene of an earlier version of the same sheet: what is equal is taken from it */
  constructor(
    workbook: Workbook,
    sheet: Sheet,
    cache: SceneCache,
    input: SceneInput,
    before: SheetScene | null,
  ) {
    const last = before?.sheet.id === sheet.id ? before : null;
    const { properties } = sheet;
    const { scale } = input;
    this.sheet = sheet;
    this.zoom = scale.zoom;
    this.frozenRows = properties.frozen?.rows ?? 0;
    this.frozenColumns = properties.frozen?.columns ?? 0;
    this.isRightToLeft = properties.rightToLeft === true;
    this.showsGridlines = properties.hidesGridlines !== true;
    this.showsHeadings = properties.hidesHeadings !== true;
    this.pageBreaks = pageBreaksOf(sheet);
    this.#scale = scale;
    this.#valueOf = input.valueOf;
    this.#isStale = input.isStale;
    this.#cells = cache.cells(workbook, sheet, input.settings);
    const isSameScale =
      last !== null &&
      last.#scale.zoom === scale.zoom &&
      last.#scale.pixelRatio === scale.pixelRatio &&
      last.#scale.digitPx === scale.digitPx;
    const hasSameColumns =
      isSameScale &&
      last.sheet.columns === sheet.columns &&
      last.sheet.properties.columnWidth === properties.columnWidth;
    this.columns = hasSameColumns ? last.columns : columnAxis(sheet, scale);
    this.columnOutline =
      hasSameColumns && last.sheet.properties.summaryLeft === properties.summaryLeft
        ? last.columnOutline
        : columnOutlineOf(sheet);
    this.#columnFormats =
      last !== null && last.sheet.columns === sheet.columns ? last.#columnFormats : columnFormats(sheet);
    const merges = itemsOf(sheet, 'merge');
    this.#merges =
      last && itemsOf(last.sheet, 'merge') === merges
        ? last.#merges
        : new MergeIndex([...merges.values()].map(({ area }) => area));
    const { columns, zoom } = this;
    const fitting = { workbook, sheet, cells: this.#cells, columns, zoom, merges: this.#merges };
    this.#fitting = FittingRows.of(
      { ...fitting, measures: input.measures },
      last ? last.#fitting : undefined,
    );
    this.#rows = SheetRows.of(sheet, this.#fitting, last ? last.#rows : undefined);
    this.rows = isSameScale && last.#rows.isLike(this.#rows) ? last.rows : this.#rows.axis(scale);
    this.rowOutline = this.#rows.outline(properties.summaryAbove === true);
    this.used = this.#rows.used;
    this.#looks = cache.looks(workbook);
    this.#formats = workbook.formats;
    const Conditions = itemsOf(sheet, 'condition').size > 0 ? input.conditionalFormats : null;
    this.conditionPainters = Conditions?.painters ?? null;
    this.#conditions = Conditions
      ? new Conditions({
          sheet,
          looks: this.#looks,
          used: this.used,
          valueAt: (row, column) => this.valueAt(row, column),
          formulaValue: (formula, row, column) => input.formulaValue(sheet.id, formula, row, column),
          isFrom1904: workbook.properties.date1904 === true,
          today: serialOfDay(new Date(), workbook.properties.date1904 === true),
        })
      : null;
    const tables = new TableLooks(sheet, this.#looks);
    this.#tables = tables.isEmpty ? null : tables;
    this.#marks = last && last.sheet.items === sheet.items ? last.#marks : marksOf(sheet);
  }

  cellAt(row: number, column: number): DrawnCell | null {
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
    const isBare = format === 0 && !marks && calculated === undefined && !this.#tables?.has(row, column);
    if (isBare && !this.#conditions) return null;
    const bare =
      calculated === undefined ? this.#cells.blank(format) : this.#cells.spilled(calculated, format);
    // A rule may colour what is empty: of a whole row, or because it is empty.
    const blank = this.#conditioned(bare, row, column, format);
    if (isBare && blank === bare) return null;
    return marks ? { ...blank, marks } : blank;
  }

  #marksOf(row: number, column: number): CellMarks | undefined {
    const marks = this.#marks.get(row * sheetColumns + column);
    return this.#isStale(this.sheet.id, row, column) ? { ...marks, stale: true } : marks;
  }

  /** The cell with what conditions make of its looks. */
  #conditioned(given: DrawnCell, row: number, column: number, format: number): DrawnCell {
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

  mergeAt(row: number, column: number): Area | null {
    return this.#merges.at(row, column);
  }

  mergesIn(range: Area): readonly Area[] {
    return this.#merges.in(range);
  }

  /** A cell that has nothing. */
  get plain(): DrawnCell {
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
    sorted: ItemOf<'filter'>['sorted'],
  ) => {
    for (let column = area[1]; column <= area[3]; column++) {
      const filter = columns.find((one) => one.column === column - area[1]);
      if (filter?.hidesButton) continue;
      const order = sorted?.find((one) => one.column === column - area[1]);
      const marks = order ? { sorted: order.falling ? ('falling' as const) : ('rising' as const) } : {};
      add(area[0], column, { filter: filter ? 'on' : 'off', ...marks });
    }
  };
  for (const { area, columns, sorted } of itemsOf(sheet, 'filter').values()) filtersOf(area, columns, sorted);
  for (const { area, hasHeader, hidesButtons, filter, sorted } of itemsOf(sheet, 'table').values()) {
    if (hasHeader && !hidesButtons) filtersOf(area, filter ?? [], sorted);
  }
  return marks;
}
