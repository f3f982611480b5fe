import { type Signal, signal } from '@preact/signals';
import type { CellMoves, ShownChange } from '../../client/cell/cell-replica.ts';
import type { CellSession } from '../../client/cell/cell-session.ts';
import type { Area } from '../../model/cell/area.ts';
import type { CellFormat } from '../../model/cell/cell-format.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { structureMapsOf } from '../../model/cell/structure-map.ts';
import { type Sheet, visibleSheets } from '../../model/cell/workbook.ts';
import type { Role } from '../frame/role.ts';
import { laterPart } from '../kit/later.tsx';
import { tellLostText } from '../kit/lost-text.ts';
import { dismissNotice } from '../kit/notices.tsx';
import { CoeditedEditor, type CoeditedEditorOptions } from '../shell/coedited/coedited-editor.ts';
import type { CopyWish, SharedDialog, SharedPanel } from '../shell/document-editor.ts';
import type { Person } from '../shell/people/people.ts';
import { clampZoom } from '../shell/zoom.ts';
import { CalculatedCells } from './calculation/calculated-cells.ts';
import { OwnClipboard } from './clipboard/own-clipboard.ts';
import { pivotNotices } from './commands/later-pivot-notice.ts';
import { tellRefusal } from './commands/later-refusal.ts';
import { offerTopic } from './commands/offer-topic.ts';
import { CommentState } from './comments/comment-state.ts';
import { isRuleDialog, type RuleDialogName } from './dialogs/rule-dialog-names.ts';
import { isSheetDialog, type LaterDialogName } from './dialogs/sheet-dialog-names.ts';
import type { Editing } from './editing/cell-editing.ts';
import { cellName, cornerOf, isOneCell, rangeName, rangeOf } from './grid/cell-areas.ts';
import type { GridView } from './grid/grid-view.ts';
import type { RemoteSelection } from './grid/overlay-painter.ts';
import { currentRange, firstSelection, type Selection, selectRange } from './grid/selection.ts';
import { regionOf } from './region.ts';
import { CellMarks } from './shown/cell-marks.ts';
import { hasBeenHidden, neighbourOf } from './shown/neighbour-sheet.ts';
import { PageWorkbook } from './shown/page-workbook.ts';
import type { SheetScene } from './shown/sheet-scene.ts';
import { Showing } from './shown/showing.ts';
import { ShownSheets } from './shown/shown-sheets.ts';
import type { ChangedPlace } from './together/changed-place.ts';
import { movedRange, movedSelection } from './together/moved-places.ts';
import { PlaceRecords } from './together/place-records.ts';
import { ToldChanges } from './together/told-changes.ts';

const changedPlaces = laterPart(() => import('./together/changed-place.ts'));
const copyWishes = laterPart(() => import('./host/copy-wish.ts'));
const followedMerges = laterPart(() => import('./together/followed-merges.ts'));
const followedTypings = laterPart(() => import('./together/followed-typing.ts'));

export type PanelName = SharedPanel;

/** Dialogs that menus and keys open. */
export type DialogName =
  | Extract<SharedDialog, 'find' | 'shortcuts' | 'rename'>
  | LaterDialogName
  | RuleDialogName;

/** Formats that are put on what is pressed next. */
export interface FormatPainter {
  /** Row by row. */
  readonly formats: readonly (readonly CellFormat[])[];
  /** It goes on until it is ended. */
  readonly isLocked: boolean;
}

export interface CellEditorOptions extends CoeditedEditorOptions<CellEditor> {
  /** Makes the session, which tells of every change by calling `onChange`. */
  readonly makeSession: (onChange: (change: ShownChange) => void, onMedia: () => void) => CellSession;
}

/**
 * One open workbook in a page: the session with the server, the grid, and what the parts of the interface share. Parts
 * read signals and act with `change`.
 */
export class CellEditor extends CoeditedEditor<CellEditor> {
  readonly session: CellSession;
  /** The workbook as of the last change, and the sheet of it that is shown. */
  readonly page: PageWorkbook;
  readonly selection: Signal<Selection> = signal(firstSelection);
  /** What is being typed; null while nothing is. */
  readonly editing: Signal<Editing | null> = signal(null);
  readonly painter: Signal<FormatPainter | null> = signal(null);
  /** The id of the picture, chart or shape that is selected on the sheet that is shown; it has the focus in place of the cells. */
  readonly drawing: Signal<string | null> = signal(null);
  /** Others in this workbook, by their ids, each with the sheet that they are on. */
  readonly others: Signal<ReadonlyMap<string, RemoteSelection & { readonly sheet: string }>> = signal(
    new Map(),
  );
  /** Who else holds which sheets, by their ids: strict mode lets only them change these. */
  readonly held: Signal<ReadonlyMap<string, Person>> = signal(new Map());
  readonly comments = new CommentState();
  readonly clipboard = new OwnClipboard();
  readonly records = new PlaceRecords();
  readonly marks = new CellMarks();
  /** Goes from sheet to sheet. */
  readonly sheets: ShownSheets;
  /** What is calculated for the cells. */
  readonly cells: CalculatedCells;
  /** Told of each change that this person has made. */
  whenMade: (operations: readonly CellOperation[]) => void = () => {};
  readonly #showing = new Showing(() => this.#showWorkbook());
  readonly #told = new ToldChanges((operations) => this.change(...operations));
  #grid: GridView | null = null;

  private constructor({ makeSession, ...options }: CellEditorOptions) {
    // -1 and -2 fit a page to the window, and a sheet has none.
    const { zoom } = options.config.editorConfig.customization;
    super(options, zoom > 0 ? clampZoom(zoom / 100) : 1);
    this.session = makeSession(
      (change) => this.#changed(change),
      () => this.#media.value++,
    );
    const region = regionOf(this.config.editorConfig);
    this.cells = new CalculatedCells(region);
    this.page = new PageWorkbook(region, this.zoom, this.cells);
    this.sheets = new ShownSheets({
      page: this.page,
      selection: this.selection,
      drawing: this.drawing,
      marks: this.marks,
      grid: () => this.#grid,
      latest: () => this.session.workbook,
    });
    // Others may move the cells that a formula names as soon as it is typed. Without it, what is typed stays with its cell.
    this.editing.subscribe((editing) => {
      if (editing) void followedTypings.load().catch(() => undefined);
    });
  }

  /** Connects and downloads the workbook. @throws what the session throws */
  static async open(options: CellEditorOptions): Promise<CellEditor> {
    const editor = new CellEditor(options);
    await editor.session.open();
    editor.page.show(editor.session.workbook);
    editor.#followMerges();
    editor.begin();
    return editor;
  }

  /** Cells of the sheet that is shown may be merged, by whomever, also while another one is shown. */
  #followMerges(): void {
    let last: unknown;
    this.page.view.subscribe(({ sheet: { items } }) => {
      if (items.merge === last) return;
      last = items.merge;
      void followedMerges
        .loadOrTell()
        .then((part) => part?.followMerges(this, (text) => this.#tellLost(text)));
    });
  }

  /** What this person may do now. A reviewer of a text looks at and comments on a workbook. */
  override get role(): Role {
    const role = super.role;
    return role.role === 'edit' ? role : { ...role, canEdit: false, canReview: false };
  }

  /** Whether this person can change the workbook now; components that read it follow it. */
  get canEdit(): boolean {
    return this.role.canEdit && !this.isPaused;
  }

  /** The sheet that is shown, and what is selected on it. */
  get shown(): { readonly sheet: Sheet; readonly terrain: SheetScene; readonly selection: Selection } {
    const terrain = this.page.view.peek();
    return { sheet: terrain.sheet, terrain, selection: this.selection.peek() };
  }

  async wishFor(fileType: string): Promise<CopyWish> {
    return (await copyWishes.loadOrTell())?.copyWishFor(this.page, fileType) ?? {};
  }

  /** Prints the sheet that is shown, unless something else is wished. */
  override print(wish?: CopyWish): void {
    if (wish) super.print(wish);
    else void copyWishes.loadOrTell().then((part) => super.print(part?.printingWish(this.page)));
  }

  /** Null until it is on the page. */
  get grid(): GridView | null {
    return this.#grid;
  }

  /** The range that is selected last, and what has the active cell. */
  get range(): Area {
    return currentRange(this.selection.value);
  }

  mount(grid: GridView): void {
    this.#grid = grid;
    this.tellMounted();
    // Cells can be typed into first.
    setTimeout(() => this.cells.update(this.session.workbook));
  }

  focus(): void {
    const grid = this.#grid?.element;
    const bar = this.editing.peek()?.place === 'bar' ? document.querySelector('.formula-bar textarea') : null;
    const drawing =
      this.drawing.peek() === null ? null : grid?.parentElement?.querySelector('.drawing-focus');
    const focused = bar ?? drawing ?? grid?.querySelector('.cell-input');
    (focused as HTMLElement | null | undefined)?.focus({ preventScroll: true });
  }

  override denyEditing(): void {
    super.denyEditing();
    this.editing.value = null;
  }

  override pause(): void {
    super.pause();
    this.editing.value = null;
  }

  override close(): void {
    this.#showing.stop();
    this.cells.stop();
    super.close();
    this.#grid?.destroy();
    this.#grid = null;
  }

  /**
   * Makes changes, if this person may: what is not allowed in a protected sheet is said, and nothing is changed. What was
   * copied stays on the clipboard, but not around its cells.
   */
  change(...operations: readonly CellOperation[]): boolean {
    if (!this.canEdit || operations.length === 0) return false;
    const before = this.page.workbook.peek();
    if (pivotNotices.loaded?.refusesTearing(before, operations)) return false;
    const isMade = this.makes(...operations);
    if (isMade) pivotNotices.loaded?.tellOfPivots(before, operations);
    else tellRefusal(before, operations, this.session.shown.refusal);
    return isMade;
  }

  /** Makes changes and says nothing where the rules of the model refuse them. */
  makes(...operations: readonly CellOperation[]): boolean {
    if (!this.canEdit) return false;
    this.session.dispatch({ operations });
    const isMade = this.session.shown.refusal === null;
    if (isMade) {
      const moves = { back: [], forward: operations.flatMap(structureMapsOf) };
      this.comments.follow({ after: this.session.workbook, moves });
      this.sheets.follow(moves);
      this.#told.made(operations, this.session.workbook);
      this.clipboard.made(operations);
      this.whenMade(operations);
      dismissNotice(offerTopic);
    }
    return isMade;
  }

  /** Makes changes of comments, which who may not edit may be allowed to make. */
  changeComments(...operations: readonly CellOperation[]): boolean {
    if (!this.role.canComment || this.isPaused) return false;
    this.session.dispatch({ operations });
    return true;
  }

  undo(): void {
    this.#step('undo');
  }

  redo(): void {
    this.#step('redo');
  }

  /** Takes back, or makes again, and goes to where that is. */
  #step(which: 'undo' | 'redo'): void {
    this.#told.forget();
    dismissNotice(offerTopic);
    if (!this.canEdit) return;
    const from = this.selection.peek();
    const operations = this.session.shown.nextStep(which)?.operations ?? [];
    this.clipboard.made(operations);
    this.session[which]();
    this.sheets.follow({ back: [], forward: operations.flatMap(structureMapsOf) });
    // The workbook is shown by then. Where that cannot be loaded one stays where one is.
    void changedPlaces.load().then(
      ({ changedPlace }) => {
        // Who has gone elsewhere meanwhile stays there.
        if (this.selection.peek() === from) this.#goTo(changedPlace(operations));
      },
      () => undefined,
    );
  }

  #goTo(place: ChangedPlace | null): void {
    if (!place) return;
    const { sheet, area } = place;
    if (!visibleSheets(this.page.workbook.peek()).some(({ id }) => id === sheet)) return;
    this.sheets.show(sheet);
    this.select(selectRange(this.page.view.peek(), area), { reveals: false });
    this.#grid?.reveal(cornerOf(area));
  }

  /** An id for a new sheet or item, which nobody else gives. */
  newId(): string {
    this.#ids += 1;
    return `${this.session.clientId}.${Date.now().toString(36)}${this.#ids}`;
  }
  #ids = 0;

  select(selection: Selection, { reveals = true } = {}): void {
    this.selection.value = selection;
    this.drawing.value = null;
    if (reveals) this.#grid?.reveal(selection.head);
  }

  /** The address of a picture of the workbook, by its path in the model; null while it is not known. */
  mediaUrl(path: string): string | null {
    this.#media.value;
    return this.session.mediaUrl(path);
  }
  readonly #media: Signal<number> = signal(0);

  /** What is selected, as people call it. */
  get selectionName(): string {
    const { active } = this.selection.value;
    const { range } = this;
    const merge = this.page.view.value.mergeAt(active.row, active.column);
    const isCell = isOneCell(range) || (merge !== null && merge[2] === range[2] && merge[3] === range[3]);
    return isCell ? cellName(active) : rangeName(range);
  }

  /** What is selected stays with its cells when others move them. */
  #followMoves(moves: CellMoves): void {
    const sheet = this.page.sheetId.peek();
    this.selection.value = movedSelection(moves, sheet, this.selection.peek());
    this.sheets.follow(moves);
    this.records.note(moves);
    this.clipboard.follow((of, area) => movedRange(moves, of, area));
  }

  #followTyping(change: ShownChange): void {
    const editing = this.editing.peek();
    if (!editing) return;
    const { loaded } = followedTypings;
    const followed = loaded
      ? loaded.followedTyping(editing, change, this.page.sheetId.peek())
      : withCell(editing, change.moves);
    if (followed !== editing) this.editing.value = followed;
    if (!followed) this.#tellLost(editing.text);
  }

  /** The session has another version of the workbook. */
  #changed(change: ShownChange): void {
    // It is told of the workbook that comes first, too.
    if (!this.hasBegun) return;
    if (change.moves) this.#followMoves(change.moves);
    this.comments.follow(change);
    if (!change.isLocal) {
      this.#followTyping(change);
      this.#told.byOthers(change, this.page.sheetId.peek(), this.page.settings);
    }
    this.#showing.changed(change.isLocal);
  }

  #showWorkbook(): void {
    const { workbook } = this.session;
    const before = this.page.workbook.peek();
    const shown = this.page.sheetId.peek();
    // The sheet that is shown may have been removed by somebody.
    if (!this.page.show(workbook)) {
      this.editing.value = null;
      this.drawing.value = null;
      const dialog = this.dialog.peek();
      // What is asked about a sheet is not meant for the one beside it.
      if (dialog !== null && (isSheetDialog(dialog) || isRuleDialog(dialog))) this.dialog.value = null;
    }
    // A sheet that somebody has hidden has no tab any more; who types into it goes on.
    const next = hasBeenHidden(before, workbook, shown) ? neighbourOf(workbook, shown) : undefined;
    if (next && !this.editing.peek() && this.page.sheetId.peek() === shown) this.sheets.show(next.id);
    this.cells.update(workbook);
  }

  /** The rest of the word must not begin to replace what the cell holds that has come there. */
  #tellLost(text: string): void {
    const isTyping = document.activeElement?.matches('.cell-input, .formula-field textarea');
    tellLostText('sheet.typedIsGone', text, isTyping);
  }
}

/** What is typed with its cell where it has come to; null where that is gone. */
function withCell(editing: Editing, moves: CellMoves | null): Editing | null {
  if (!moves) return editing;
  const at = movedRange(moves, editing.sheet, rangeOf(editing.cell));
  return at && { ...editing, cell: cornerOf(at) };
}
