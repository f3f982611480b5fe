import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { columnName } from '../../../model/cell-address.ts';
import { announce } from '../../kit/announce.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { Axis } from '../grid/axis.ts';
import { type CellPosition, cellName, heightOf, isIn, rangeName, widthOf } from '../grid/cell-areas.ts';
import type { Selection } from '../grid/selection.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';

/** So many rows and columns around the active cell can be read. */
const rowsAround = 20;
const columnsAround = 10;

/**
 * What is drawn, as a table that programs for reading aloud know: the cells around the active one with their headers. The
 * cell that becomes active is said.
 */
export function GridMirror({ editor }: { editor: CellEditor }) {
  useSaidSelection(editor);
  const selection = editor.selection.value;
  const { active } = selection;
  const view = editor.page.view.value;
  const rows = shownAround(view.rows, active.row, rowsAround);
  const columns = shownAround(view.columns, active.column, columnsAround);
  const mirroredRow = useMirroredRows({ view, selection, columns });
  return (
    <div
      class="visually-hidden"
      role="grid"
      tabIndex={-1}
      aria-label={view.sheet.properties.name}
      aria-rowcount={view.rows.count}
      aria-colcount={view.columns.count}
      aria-readonly={!editor.canEdit}
      aria-multiselectable="true"
    >
      <div role="row" tabIndex={-1} aria-rowindex={1}>
        <span role="columnheader" tabIndex={-1}>
          {t('sheet.row')}
        </span>
        {columns.map((column) => (
          <span key={column} role="columnheader" tabIndex={-1} aria-colindex={column + 2}>
            {columnName(column)}
          </span>
        ))}
      </div>
      {rows.map(mirroredRow)}
    </div>
  );
}

/** The rows or columns around one of them which are not hidden. */
function shownAround(axis: Axis, at: number, around: number): number[] {
  const first = Math.max(0, at - around);
  return Array.from({ length: around * 2 }, (_, index) => first + index).filter(
    (line) => line < axis.count && !axis.isHidden(line),
  );
}

/** Has what is selected said when it becomes another one, and names the field of the cells by it. */
function useSaidSelection(editor: CellEditor): void {
  const last = useRef('');
  useSignalEffect(() => {
    const { active } = editor.selection.value;
    const editing = editor.editing.value;
    const name = editor.selectionName;
    if (editing || name === last.current) return;
    const isFirst = last.current === '';
    last.current = name;
    const label = [name, ...factsOf(editor, active)].join(', ');
    editor.grid?.element.querySelector('.cell-input')?.setAttribute('aria-label', label);
    const { range } = editor;
    const count = heightOf(range) * widthOf(range);
    if (!isFirst) announce(count > 1 ? t('sheet.selected', { range: rangeName(range) }) : label);
  });
}

/** So many letters of a formula are said: the formula bar has all of it. */
const mostSaid = 200;

/** What is said of a cell. */
function factsOf(editor: CellEditor, cell: CellPosition): string[] {
  const shown = editor.page.view.peek().cellAt(cell.row, cell.column);
  const facts = [shown?.text || t('sheet.empty')];
  if (editor.page.cellAt(cell).formula) {
    const formula = editor.page.textOf(cell).slice(0, mostSaid);
    facts.push(`${t('sheet.hasFormula')} ${formula}`.trim());
  }
  if (shown?.marks?.comment || shown?.marks?.note) facts.push(t('sheet.hasComment'));
  if (shown?.marks?.sorted)
    facts.push(t(shown.marks.sorted === 'rising' ? 'sheet.isRising' : 'sheet.isFalling'));
  return facts;
}

/** What rows are drawn of. */
interface Mirrored {
  readonly view: SheetScene;
  readonly selection: Selection;
  readonly columns: readonly number[];
}

/** Draws rows. One of which nothing is different is given to Preact as it was, which then leaves it alone. */
function useMirroredRows(mirrored: Mirrored): (row: number) => VNode {
  const drawn = useRef(new Map<number, { readonly key: string; readonly element: VNode }>());
  const before = drawn.current;
  const now: typeof before = new Map();
  drawn.current = now;
  return (row) => {
    const cells = mirrored.columns.flatMap((column) => mirroredCell(mirrored, row, column) ?? []);
    const key = JSON.stringify(cells);
    const known = before.get(row);
    const element = known?.key === key ? known.element : <MirroredRow key={row} row={row} cells={cells} />;
    now.set(row, { key, element });
    return element;
  };
}

interface MirroredCell {
  readonly column: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** Of merged cells: how many there are. */
  readonly size: { readonly columns: number; readonly rows: number } | null;
  readonly text: string;
}

/** Null for what lies within merged cells: of these there is one, as wide and high as they are. */
function mirroredCell({ view, selection }: Mirrored, row: number, column: number): MirroredCell | null {
  const { active, ranges } = selection;
  const isActive = row === active.row && column === active.column;
  const merge = view.mergeAt(row, column);
  if (merge && !isActive && (row !== merge[0] || column !== merge[1])) return null;
  const isSelected = ranges.some((range) => isIn({ row, column }, range));
  const size = merge ? { columns: widthOf(merge), rows: heightOf(merge) } : null;
  return { column, isActive, isSelected, size, text: view.cellAt(row, column)?.text ?? '' };
}

function MirroredRow({ row, cells }: { row: number; cells: readonly MirroredCell[] }) {
  return (
    <div role="row" tabIndex={-1} aria-rowindex={row + 2}>
      <span role="rowheader" tabIndex={-1}>
        {row + 1}
      </span>
      {cells.map(({ column, isActive, isSelected, size, text }) => (
        <span
          key={column}
          id={isActive ? 'active-cell' : undefined}
          role="gridcell"
          tabIndex={-1}
          aria-colindex={column + 2}
          aria-colspan={size?.columns}
          aria-rowspan={size?.rows}
          aria-selected={isSelected}
          data-cell={cellName({ row, column })}
        >
          {text}
        </span>
      ))}
    </div>
  );
}
