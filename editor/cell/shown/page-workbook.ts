import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Cell } from '../../../model/cell/cell.ts';
import type { CellFormat } from '../../../model/cell/cell-format.ts';
import { type FormatSettings, fittingNumber } from '../../../model/cell/formats/shown-value.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import { itemsOf, type Sheet, sheetOf, visibleSheets, type Workbook } from '../../../model/cell/workbook.ts';
import { fontStack } from '../../kit/fonts.ts';
import { laterPart } from '../../kit/later.tsx';
import type { CalculatedCells } from '../calculation/calculated-cells.ts';
import { type EditedCell, editedText } from '../commands/cell-input.ts';
import { growingTable } from '../commands/table-growth.ts';
import { namesSeveral } from '../editing/several-names.ts';
import { type CellPosition, isIn } from '../grid/cell-areas.ts';
import { canvasMeasures, digitWidth } from '../grid/font-measures.ts';
import type { FontMeasures } from '../grid/text-painter.ts';
import { neighbourOf } from './neighbour-sheet.ts';
import { normalFont, SceneCache } from './scene-cache.ts';
import { SheetScene } from './sheet-scene.ts';

/** Most sheets have none: they come behind the first look at a page. */
const conditionalFormats = laterPart(
  async () => (await import('./conditional-formats.ts')).ConditionalFormats,
);

/** The first sheet that people see. */
const firstSheet = (workbook: Workbook): Sheet => visibleSheets(workbook)[0] ?? workbook.sheets[0]!;

/** A workbook as of the last change, the sheet of it that is shown, and what its cells look like. */
export class PageWorkbook {
  readonly workbook: Signal<Workbook> = signal(undefined as never);
  readonly sheetId: Signal<string> = signal('');
  /** The sheet that is shown, as the grid draws it. */
  readonly view: ReadonlySignal<SheetScene> = computed(() => this.#makeScene());
  readonly measures: FontMeasures = canvasMeasures();
  readonly #zoom: ReadonlySignal<number>;
  readonly #locale: string;
  readonly #calculated: CalculatedCells;
  readonly #cache = new SceneCache();
  readonly #conditionalFormats: Signal<typeof conditionalFormats.loaded> = signal(conditionalFormats.loaded);
  #lastScene: SheetScene | null = null;

  /** @param locale by which numbers and days are typed and shown */
  constructor(locale: string, zoom: ReadonlySignal<number>, calculated: CalculatedCells) {
    this.#locale = locale;
    this.#zoom = zoom;
    this.#calculated = calculated;
  }

  /** Shows another workbook, or what has become of it; whether the sheet that was shown is still there. */
  show(workbook: Workbook): boolean {
    const id = this.sheetId.peek();
    const isThere = sheetOf(workbook, id) !== undefined;
    if (!isThere) this.sheetId.value = this.#sheetInsteadOf(id, workbook).id;
    this.workbook.value = workbook;
    return isThere;
  }

  /** What is shown where the sheet is gone. */
  #sheetInsteadOf(id: string, workbook: Workbook): Sheet {
    const before = this.workbook.peek();
    const near = before && neighbourOf(before, id);
    return (near && visibleSheets(workbook).find((sheet) => sheet.id === near.id)) ?? firstSheet(workbook);
  }

  /** The sheet that is shown. */
  get sheet(): Sheet {
    return this.view.value.sheet;
  }

  cellAt({ row, column }: CellPosition): Cell {
    return this.sheet.grid.cell(row, column);
  }

  valueAt({ row, column }: CellPosition): CellValue {
    return this.view.value.valueAt(row, column);
  }

  get settings(): FormatSettings {
    return { locale: this.#locale, date1904: this.workbook.value.properties.date1904 === true };
  }

  /** Width of the widest digit of the normal font: what columns are counted in. */
  get digitPx(): number {
    const { name = 'Calibri', size = 11 } = normalFont(this.workbook.value) ?? {};
    return digitWidth(this.measures, `${(size * 96) / 72}px ${fontStack(name)}`);
  }

  /** Has a general number shown with as many digits as fit. */
  readonly fitNumber = (value: number, fits: (text: string) => boolean): string | null =>
    fittingNumber(value, fits, this.settings);

  formatAt({ row, column }: CellPosition, view = this.view.value): CellFormat {
    return this.workbook.value.formats.at(view.formatAt(row, column));
  }

  /** What a cell of the sheet that is shown, or of another one, has for editing it. */
  editedCell(cell: CellPosition, view = this.view.value): EditedCell {
    const { formula, value } = view.sheet.grid.cell(cell.row, cell.column);
    const tables = [...itemsOf(view.sheet, 'table').values()];
    const own = tables.find(({ area }) => isIn(cell, area)) ?? growingTable(view.sheet, cell)?.table;
    const table = own?.name ?? null;
    const isSeveral = (name: string) => namesSeveral(this.workbook.value, view.sheet, name);
    return { value, formula: formula?.toJSON() ?? null, format: this.formatAt(cell, view), table, isSeveral };
  }

  /** The text by which a cell is edited; that of a protected formula which is hidden is empty. */
  textOf(cell: CellPosition, view = this.view.value): string {
    const edited = this.editedCell(cell, view);
    const isSecret = view.sheet.properties.protection && edited.format.protection?.hidden;
    return isSecret && edited.formula !== null ? '' : editedText(edited, this.settings);
  }

  /** What would be typed for the value of a cell, whatever it comes from. */
  valueTextOf(cell: CellPosition): string {
    return editedText({ ...this.editedCell(cell), formula: null, value: this.valueAt(cell) }, this.settings);
  }

  /** A sheet as it would be shown: the one that is, or one that is only looked through. */
  viewOf(sheet: Sheet): SheetScene {
    const shown = this.view.peek();
    return shown.sheet === sheet ? shown : this.#sceneOf(sheet, null);
  }

  /** Null while they are being loaded; then the scene is made anew. */
  #conditionsOf(sheet: Sheet): typeof conditionalFormats.loaded {
    const loaded = this.#conditionalFormats.value;
    if (loaded || itemsOf(sheet, 'condition').size === 0) return loaded;
    void conditionalFormats.loadOrTell().then((part) => {
      this.#conditionalFormats.value = part;
    });
    return null;
  }

  #makeScene(): SheetScene {
    const workbook = this.workbook.value;
    this.#calculated.changes.value;
    const sheet = sheetOf(workbook, this.sheetId.value) ?? workbook.sheets[0]!;
    this.#lastScene = this.#sceneOf(sheet, this.#lastScene);
    return this.#lastScene;
  }

  #sceneOf(sheet: Sheet, last: SheetScene | null): SheetScene {
    const workbook = this.workbook.value;
    const zoom = this.#zoom.value * ((sheet.properties.zoomPercent ?? 100) / 100);
    const scale = { zoom, pixelRatio: devicePixelRatio, digitPx: this.digitPx };
    const input = {
      ...{ settings: this.settings, scale, measures: this.measures },
      conditionalFormats: this.#conditionsOf(sheet),
      formulaValue: this.#calculated.formulaValue,
      valueOf: this.#calculated.valueOf,
      isStale: (id: string, row: number, column: number) => {
        const at = id === sheet.id ? sheet : sheetOf(workbook, id);
        return this.#calculated.staleReason(at, { row, column }) !== undefined;
      },
    };
    return new SheetScene(workbook, sheet, this.#cache, input, last);
  }
}
