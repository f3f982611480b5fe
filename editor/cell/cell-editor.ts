import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ShownChange } from '../../client/cell/cell-replica.ts';
import type { CellSession } from '../../client/cell/cell-session.ts';
import type { DocumentClient } from '../../client/document-client.ts';
import { type Area, boundsOf } from '../../model/cell/area.ts';
import type { Cell } from '../../model/cell/cell.ts';
import type { CellFormat } from '../../model/cell/cell-format.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { type Region, regionOf, type StructureMap, structureMapsOf } from '../../model/cell/structure-map.ts';
import type { CellValue } from '../../model/cell/values.ts';
import { type Sheet, sheetOf, type Workbook } from '../../model/cell/workbook.ts';
import type { FrameConfig } from '../frame/frame-config.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import { type Role, roleOf } from '../frame/role.ts';
import { fontStack } from '../kit/fonts.ts';
import { notify } from '../kit/notices.tsx';
import { requestClose } from '../shell/dialogs/leave-dialog.tsx';
import type { CoeditedDocument, SharedDialog, SharedPanel } from '../shell/document-editor.ts';
import { HostFacts } from '../shell/host/host-facts.ts';
import type { Person } from '../shell/people/people.ts';
import { Presence } from '../shell/people/presence.ts';
import { printDocument } from '../shell/print.ts';
import { currentLanguage, t } from '../strings/strings.ts';
import { type EditedCell, editedText, setOperation } from './commands/cell-input.ts';
import { choicesOf, isAllowed, validationAt } from './commands/validation.ts';
import { CommentState } from './comments/comment-state.ts';
import { beginEditing, beginTyping, type Editing } from './editing/cell-editing.ts';
import { type FormatSettings, fittingNumber } from './formats/shown-value.ts';
import {
  type CellPosition,
  type CellRange,
  cellName,
  cornerOf,
  heightOf,
  isOneCell,
  rangeName,
  widthOf,
} from './grid/cell-range.ts';
import { canvasMeasures, digitWidth } from './grid/font-measures.ts';
import type { GridView } from './grid/grid-view.ts';
import type { RemoteSelection } from './grid/overlay-painter.ts';
import { currentRange, firstSelection, type Selection } from './grid/selection.ts';
import type { FontMeasures } from './grid/text-painter.ts';
import { mayChange } from './protection/sheet-protection.ts';
import {
  areaOfRange,
  normalFont,
  rangeOfArea,
  SheetView,
  type ValueOf,
  WorkbookShow,
} from './shown/sheet-view.ts';

export type PanelName = SharedPanel;

/** Dialogs that menus and keys open. */
export type DialogName =
  | Extract<SharedDialog, 'find' | 'shortcuts' | 'rename'>
  | 'numberFormat'
  | 'link'
  | 'renameSheet'
  | 'columnWidth'
  | 'rowHeight';

/** What was copied here, as long as the clipboard has it. */
export interface Copied {
  readonly sheet: string;
  readonly range: CellRange;
  readonly isCut: boolean;
  /** Tells it from what other programs have put on the clipboard since. */
  readonly id: string;
}

export interface CellEditorOptions {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  /** Address of the server, with any path prefix. */
  readonly serverUrl: string;
  /** Makes the session, which tells of every change by calling `onChange`. */
  readonly makeSession: (onChange: (change: ShownChange) => void, onMedia: () => void) => CellSession;
}

/** Where a sheet was when it was left. */
interface LeftSheet {
  readonly selection: Selection;
  readonly place: { readonly x: number; readonly y: number };
}

/**
 * One open workbook in a page: the session with the server, the grid, and what the parts of the interface share. Parts
 * read signals and act with `change`.
 */
export class CellEditor implements CoeditedDocument {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  readonly serverUrl: string;
  readonly session: CellSession;
  readonly facts: HostFacts;
  readonly title: Signal<string>;
  readonly panel: Signal<PanelName | string | null> = signal(null);
  readonly dialog: Signal<DialogName | string | null> = signal(null);
  readonly toolbarShown: Signal<boolean>;
  readonly zoom: Signal<number>;
  /** Resolves when the workbook is on the page. */
  readonly mounted: Promise<void>;
  /** The workbook as of the last change, and everything that is shown of it. */
  readonly workbook: Signal<Workbook>;
  readonly sheetId: Signal<string>;
  readonly selection: Signal<Selection> = signal(firstSelection);
  /** What is being typed; null while nothing is. */
  readonly editing: Signal<Editing | null> = signal(null);
  readonly copied: Signal<Copied | null> = signal(null);
  /** Others in this workbook, by their ids, each with the sheet that they are on. */
  readonly others: Signal<ReadonlyMap<string, RemoteSelection & { readonly sheet: string }>> = signal(
    new Map(),
  );
  /** Ranges that are found by a search, the one that is shown first. */
  readonly found: Signal<readonly CellRange[]> = signal([]);
  /** The sheet that is shown, as the grid draws it. */
  readonly view: ReadonlySignal<SheetView>;
  readonly comments = new CommentState();
  readonly measures: FontMeasures = canvasMeasures();
  /** Values that were calculated since the file was saved; changes with `calculated`. */
  valueOf: ValueOf = () => undefined;
  readonly calculated: Signal<number> = signal(0);
  /** Puts the field that is typed in to where its cell is. */
  placeInput: () => void = () => undefined;
  readonly #role: Signal<Role>;
  readonly #show = new WorkbookShow();
  readonly #left = new Map<string, LeftSheet>();
  #presence: Presence | null = null;
  #grid: GridView | null = null;
  #lastView: SheetView | null = null;
  #isMounted!: () => void;
  #paused = false;
  #frame = 0;

  private constructor({ config, host, serverUrl, makeSession }: CellEditorOptions) {
    this.config = config;
    this.host = host;
    this.serverUrl = serverUrl;
    this.facts = HostFacts.of(config);
    this.title = this.facts.title;
    this.toolbarShown = signal(!config.editorConfig.customization.compactToolbar);
    this.zoom = signal(1);
    this.#role = signal(roleOf(config));
    this.mounted = new Promise((resolve) => {
      this.#isMounted = resolve;
    });
    this.session = makeSession(
      (change) => this.#changed(change),
      () => this.#media.value++,
    );
    this.workbook = signal(undefined as never);
    this.sheetId = signal('');
    this.view = computed(() => this.#makeView());
  }

  /** Connects and downloads the workbook. @throws what the session throws */
  static async open(options: CellEditorOptions): Promise<CellEditor> {
    const editor = new CellEditor(options);
    await editor.session.open();
    const { workbook, client } = editor.session;
    editor.workbook.value = workbook;
    editor.#version = editor.session.version;
    editor.sheetId.value = (visibleSheets(workbook)[0] ?? workbook.sheets[0]!).id;
    editor.#presence = new Presence(client, editor.panel);
    if (client.status.readOnly && editor.role.canEdit) editor.denyEditing();
    return editor;
  }

  get client(): DocumentClient {
    return this.session.client;
  }

  get presence(): Presence {
    return this.#presence!;
  }

  get people(): ReadonlySignal<readonly Person[]> {
    return this.presence.people;
  }

  /** What this person may do now. A reviewer of a text looks at and comments on a workbook. */
  get role(): Role {
    const role = this.#role.value;
    return role.role === 'edit' ? role : { ...role, canEdit: false, canReview: false };
  }

  /** Whether this person can change the workbook now; components that read it follow it. */
  get canEdit(): boolean {
    return this.role.canEdit && !this.#paused;
  }

  get settings(): FormatSettings {
    const { region, lang } = this.config.editorConfig;
    const locale = region ?? (lang.includes('-') ? lang : currentLanguage());
    return { locale, date1904: this.workbook.value.properties.date1904 === true };
  }

  get sheet(): Sheet {
    return this.view.value.sheet;
  }

  /** Null until it is on the page. */
  get grid(): GridView | null {
    return this.#grid;
  }

  /** The range that is selected last, and what has the active cell. */
  get range(): CellRange {
    return currentRange(this.selection.value);
  }

  mount(grid: GridView): void {
    this.#grid = grid;
    this.#isMounted();
  }

  focus(): void {
    this.#grid?.element.querySelector<HTMLElement>('.cell-input')?.focus({ preventScroll: true });
  }

  print(): void {
    void printDocument(this, () => window.print());
  }

  requestClose(): void {
    void requestClose(this);
  }

  denyEditing(): void {
    const readOnly = { canEdit: false, canReview: false, canComment: false, canFillForms: false };
    this.#role.value = { ...this.#role.value, ...readOnly, role: 'view' };
    this.editing.value = null;
  }

  pause(): void {
    this.#paused = true;
    this.editing.value = null;
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#presence?.stop();
    this.#grid?.destroy();
    this.#grid = null;
  }

  /**
   * Makes changes, if this person may: what is not allowed in a protected sheet is said, and nothing is changed. What was
   * copied stays on the clipboard, but not around its cells.
   */
  change(...operations: readonly CellOperation[]): boolean {
    if (!this.canEdit || operations.length === 0) return false;
    if (!mayChange(this.workbook.peek(), operations)) {
      notify({ text: t('sheet.protected'), kind: 'warning', topic: 'sheet-protection' });
      return false;
    }
    this.session.dispatch({ operations });
    const { refusal } = this.session.shown;
    if (refusal !== null) notify({ text: t('sheet.refused'), kind: 'warning', topic: 'sheet-refused' });
    return refusal === null;
  }

  /** Makes changes of comments, which who may not edit may be allowed to make. */
  changeComments(...operations: readonly CellOperation[]): boolean {
    if (!this.role.canComment || this.#paused) return false;
    this.session.dispatch({ operations });
    return true;
  }

  undo(): void {
    if (this.canEdit) this.session.undo();
  }

  redo(): void {
    if (this.canEdit) this.session.redo();
  }

  /** An id for a new sheet or item, which nobody else gives. */
  newId(): string {
    this.#ids += 1;
    return `${this.session.clientId}.${Date.now().toString(36)}${this.#ids}`;
  }
  #ids = 0;

  select(selection: Selection, { reveals = true } = {}): void {
    this.selection.value = selection;
    if (reveals) this.#grid?.reveal(selection.head);
  }

  /** Shows another sheet, where it was left. */
  showSheet(id: string): void {
    if (id === this.sheetId.peek() || !sheetOf(this.workbook.peek(), id)) return;
    const place = this.#grid?.place ?? { x: 0, y: 0 };
    this.#left.set(this.sheetId.peek(), { selection: this.selection.peek(), place });
    const left = this.#left.get(id);
    this.sheetId.value = id;
    this.selection.value = left?.selection ?? firstSelection;
    this.found.value = [];
    this.#grid?.show(this.view.peek());
    this.#grid?.scrollTo(left?.place ?? { x: 0, y: 0 });
  }

  /** Shows a sheet that is being made, as soon as it is there. */
  showWhenThere(id: string): void {
    if (!sheetOf(this.session.workbook, id)) return;
    this.workbook.value = this.session.workbook;
    this.showSheet(id);
  }

  /** Width of the widest digit of the normal font: what columns are counted in. */
  get digitPx(): number {
    const { name = 'Calibri', size = 11 } = normalFont(this.workbook.value) ?? {};
    return digitWidth(this.measures, `${(size * 96) / 72}px ${fontStack(name)}`);
  }

  /** Shows and selects a range of any sheet. */
  goTo(sheet: string, range: CellRange): void {
    this.showSheet(sheet);
    this.select({
      ranges: [range],
      current: 0,
      active: cornerOf(range),
      head: cornerOf(range),
    });
    this.focus();
  }

  cellAt({ row, column }: CellPosition): Cell {
    return this.sheet.grid.cell(row, column);
  }

  formatAt({ row, column }: CellPosition): CellFormat {
    return this.workbook.value.formats.at(this.view.value.formatAt(row, column));
  }

  /** What a cell has, for editing it. */
  editedCell(cell: CellPosition): EditedCell {
    const { formula, value } = this.cellAt(cell);
    return { value, formula: formula?.text ?? null, format: this.formatAt(cell) };
  }

  /** The text by which a cell is edited; that of a protected formula which is hidden is empty. */
  textOf(cell: CellPosition): string {
    const edited = this.editedCell(cell);
    const isSecret = this.sheet.properties.protection && edited.format.protection?.hidden;
    return isSecret && edited.formula !== null ? '' : editedText(edited, this.settings);
  }

  valueAt(cell: CellPosition): CellValue {
    return this.view.value.valueAt(cell.row, cell.column);
  }

  /** Begins to type over the active cell. */
  type(text: string): void {
    if (!this.#mayBegin()) return;
    this.editing.value = beginTyping(this.sheetId.peek(), this.selection.peek().active, text);
    this.#grid?.reveal(this.selection.peek().active);
  }

  /** Begins to edit what the active cell has. */
  edit(place: Editing['place'] = 'cell'): void {
    if (!this.#mayBegin()) return;
    const { active } = this.selection.peek();
    this.editing.value = beginEditing(this.sheetId.peek(), active, this.textOf(active), place);
    this.#grid?.reveal(active);
  }

  /** Gives the cell what was typed, or all that are selected. True if nothing stands in the way of going on. */
  commit({ toAll = false } = {}): boolean {
    const editing = this.editing.peek();
    if (!editing || !this.#passes(editing)) return editing === null;
    this.editing.value = null;
    this.showSheet(editing.sheet);
    const { text } = editing;
    if (!toAll && text === this.textOf(editing.cell)) return true;
    const cells = toAll ? this.#selectedCells() : [editing.cell];
    const inputs = cells.map(({ row, column }) => ({
      row,
      column,
      text,
      cell: this.editedCell({ row, column }),
    }));
    this.change(setOperation(editing.sheet, inputs, this.settings));
    return true;
  }

  /** Whether a cell takes what was typed; says why it does not. A mere warning does not stand in the way. */
  #passes({ sheet: id, cell, text }: Editing): boolean {
    const workbook = this.workbook.peek();
    const sheet = sheetOf(workbook, id);
    const rule = sheet && text !== this.textOf(cell) ? validationAt(sheet, cell) : null;
    if (!sheet || !rule || rule.showsError === false) return true;
    const choices = choicesOf(rule, workbook, sheet, cell, this.settings);
    if (isAllowed(rule, text, choices, this.settings)) return true;
    const isWarning = rule.style === 'warning' || rule.style === 'information';
    notify({ text: rule.error || t('sheet.notAllowed'), kind: 'warning', topic: 'sheet-validation' });
    return isWarning;
  }

  cancel(): void {
    const editing = this.editing.peek();
    this.editing.value = null;
    if (editing) this.showSheet(editing.sheet);
  }

  /** The address of a picture of the workbook, by its path in the model; null while it is not known. */
  mediaUrl(path: string): string | null {
    this.#media.value;
    return this.session.mediaUrl(path);
  }
  readonly #media: Signal<number> = signal(0);

  /** Where cells of an earlier version of the log are now; null where that is not known, or they are gone. */
  fromLog(
    sheet: string,
    area: Area,
    version: number,
  ): { readonly sheet: string; readonly area: Area } | null {
    const { shown } = this.session;
    const logged = shown.mapsSince(version);
    if (!logged) return null;
    const local = shown.local.flatMap(({ operation }) => structureMapsOf(operation));
    return movedBy([...logged, ...local], sheet, area, (map, region) => map.forward(region));
  }

  /** Where cells were before the changes that are not in the log yet; as they are now where they are new. */
  inLog(sheet: string, area: Area): { readonly sheet: string; readonly area: Area } {
    const local = this.session.shown.local.flatMap(({ operation }) => structureMapsOf(operation));
    const before = movedBy(local.toReversed(), sheet, area, (map, region) => map.backward(region).kept);
    return before ?? { sheet, area };
  }

  /** Has a general number shown with as many digits as fit. */
  readonly fitNumber = (value: number, fits: (text: string) => boolean): string | null =>
    fittingNumber(value, fits, this.settings);

  /** What is selected, as people call it. */
  get selectionName(): string {
    const { active } = this.selection.value;
    const { range } = this;
    const merge = this.view.value.mergeAt(active.row, active.column);
    const isCell =
      isOneCell(range) || (merge !== null && merge.bottom === range.bottom && merge.right === range.right);
    return isCell ? cellName(active) : rangeName(range);
  }

  #mayBegin(): boolean {
    const { active } = this.selection.peek();
    const [row, column] = [active.row, active.column];
    const sheet = this.sheetId.peek();
    const probe: CellOperation = { op: 'set', sheet, cells: [[row, column, { v: null }]] };
    if (!this.canEdit) return false;
    if (mayChange(this.workbook.peek(), [probe])) return true;
    notify({ text: t('sheet.protected'), kind: 'warning', topic: 'sheet-protection' });
    return false;
  }

  /** So many that a text can be given to each of them. */
  #selectedCells(): CellPosition[] {
    const longest = 10_000;
    return this.selection
      .peek()
      .ranges.flatMap((range) => (heightOf(range) * widthOf(range) > longest ? [] : [...cellsOf(range)]));
  }

  #makeView(): SheetView {
    const workbook = this.workbook.value;
    this.calculated.value;
    const sheet = sheetOf(workbook, this.sheetId.value) ?? workbook.sheets[0]!;
    const zoom = this.zoom.value * ((sheet.properties.zoomPercent ?? 100) / 100);
    const scale = { zoom, pixelRatio: devicePixelRatio, digitPx: this.digitPx };
    const look = { settings: this.settings, scale, valueOf: this.valueOf };
    this.#lastView = new SheetView(workbook, sheet, this.#show, look, this.#lastView);
    return this.#lastView;
  }

  /** What is selected and typed stays with its cells when others move them. */
  #followOthers(): void {
    const { version } = this.session;
    const from = this.#version;
    this.#version = version;
    if (from < 0 || from === version) return;
    const maps = this.session.shown.mapsSince(from) ?? [];
    if (maps.length === 0) return;
    const sheet = this.sheetId.peek();
    const moved = (range: CellRange): CellRange | null => {
      const at = movedBy(maps, sheet, areaOfRange(range), (map, region) => map.forward(region));
      return at?.sheet === sheet ? rangeOfArea(at.area) : null;
    };
    const cell = ({ row, column }: CellPosition): CellPosition => {
      const at = moved({ top: row, left: column, bottom: row, right: column });
      return at ? cornerOf(at) : { row, column };
    };
    const { ranges, current, active, head } = this.selection.peek();
    const kept = ranges.map((range) => moved(range) ?? range);
    this.selection.value = { ranges: kept, current, active: cell(active), head: cell(head) };
    const editing = this.editing.peek();
    if (editing?.sheet === sheet) this.editing.value = { ...editing, cell: cell(editing.cell) };
  }
  #version = -1;

  /** The session has another version of the workbook; all that is shown follows once a frame. */
  #changed({ isLocal }: ShownChange): void {
    // It is told of the workbook that comes first, too.
    if (this.#presence === null) return;
    if (!isLocal) this.#followOthers();
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const { workbook } = this.session;
      // The sheet that is shown may have been removed by somebody.
      if (!sheetOf(workbook, this.sheetId.peek())) {
        this.editing.value = null;
        this.sheetId.value = (visibleSheets(workbook)[0] ?? workbook.sheets[0]!).id;
      }
      this.workbook.value = workbook;
    });
  }
}

/** One area that cells come to by several moves; null when nothing is left of them. */
function movedBy(
  maps: readonly StructureMap[],
  sheet: string,
  area: Area,
  move: (map: StructureMap, region: Region) => readonly Region[],
): { readonly sheet: string; readonly area: Area } | null {
  let at = { sheet, area };
  for (const map of maps) {
    const moved = move(map, regionOf(at.sheet, at.area));
    const bounds = boundsOf(moved.filter((one) => one.sheet === moved[0]!.sheet).map((one) => one.area));
    if (!bounds) return null;
    at = { sheet: moved[0]!.sheet, area: bounds };
  }
  return at;
}

/** The sheets that have tabs. */
export const visibleSheets = ({ sheets }: Workbook): readonly Sheet[] =>
  sheets.filter(({ properties }) => (properties.state ?? 'visible') === 'visible');

export function* cellsOf({ top, left, bottom, right }: CellRange): Iterable<CellPosition> {
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) yield { row, column };
  }
}
