import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { columnName } from '../../../model/cell-address.ts';
import { announce } from '../../kit/announce.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cellName, heightOf, rangeName, widthOf } from '../grid/cell-range.ts';

/** So many rows and columns around the active cell can be read. */
const rowsAround = 20;
const columnsAround = 10;

/**
 * What is drawn, as a table that programs for reading aloud know: the cells around the active one with their headers. The
 * cell that becomes active is said.
 */
export function GridMirror({ editor }: { editor: CellEditor }) {
  const last = useRef('');
  // A row of which nothing is different is given to Preact as it was, which then leaves it alone.
  const drawn = useRef(new Map<number, { readonly key: string; readonly element: VNode }>());
  useSignalEffect(() => {
    const { active } = editor.selection.value;
    const editing = editor.editing.value;
    const name = editor.selectionName;
    if (editing || name === last.current) return;
    const isFirst = last.current === '';
    last.current = name;
    const input = editor.grid?.element.querySelector('.cell-input');
    const shown = editor.view.peek().cellAt(active.row, active.column);
    const text = shown?.text || t('sheet.empty');
    const parts = [name, text];
    if (editor.cellAt(active).formula) parts.push(t('sheet.hasFormula'));
    if (shown?.marks?.comment || shown?.marks?.note) parts.push(t('sheet.hasComment'));
    const label = parts.join(', ');
    input?.setAttribute('aria-label', label);
    const { range } = editor;
    const count = heightOf(range) * widthOf(range);
    if (!isFirst) announce(count > 1 ? t('sheet.selected', { range: rangeName(range) }) : label);
  });
  const { active, ranges } = editor.selection.value;
  const view = editor.view.value;
  const { rows, columns } = view;
  const top = Math.max(0, active.row - rowsAround);
  const left = Math.max(0, active.column - columnsAround);
  const rowNumbers = Array.from({ length: rowsAround * 2 }, (_, at) => top + at).filter(
    (row) => row < rows.count && !rows.isHidden(row),
  );
  const columnNumbers = Array.from({ length: columnsAround * 2 }, (_, at) => left + at).filter(
    (column) => column < columns.count && !columns.isHidden(column),
  );
  const now: typeof drawn.current = new Map();
  const grid = (
    <div
      class="visually-hidden"
      role="grid"
      tabIndex={-1}
      aria-label={view.sheet.properties.name}
      aria-rowcount={rows.count}
      aria-colcount={columns.count}
      aria-readonly={!editor.canEdit}
      aria-multiselectable="true"
    >
      <div role="row" tabIndex={-1} aria-rowindex={1}>
        <span role="columnheader" tabIndex={-1}>
          {t('sheet.row')}
        </span>
        {columnNumbers.map((column) => (
          <span key={column} role="columnheader" tabIndex={-1} aria-colindex={column + 2}>
            {columnName(column)}
          </span>
        ))}
      </div>
      {rowNumbers.map((row) => {
        const cells = columnNumbers.flatMap((column): MirroredCell[] => {
          const isActive = row === active.row && column === active.column;
          const merge = view.mergeAt(row, column);
          // Of merged cells there is one, as wide and high as they are.
          if (merge && !isActive && (row !== merge.top || column !== merge.left)) return [];
          const isSelected = ranges.some(
            (range) =>
              row >= range.top && row <= range.bottom && column >= range.left && column <= range.right,
          );
          const size = merge ? { columns: widthOf(merge), rows: heightOf(merge) } : null;
          return [{ column, isActive, isSelected, size, text: view.cellAt(row, column)?.text ?? '' }];
        });
        const key = JSON.stringify(cells);
        const before = drawn.current.get(row);
        const element =
          before?.key === key ? before.element : <MirroredRow key={row} row={row} cells={cells} />;
        now.set(row, { key, element });
        return element;
      })}
    </div>
  );
  drawn.current = now;
  return grid;
}

interface MirroredCell {
  readonly column: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** Of merged cells: how many there are. */
  readonly size: { readonly columns: number; readonly rows: number } | null;
  readonly text: string;
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
