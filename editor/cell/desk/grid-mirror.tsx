import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { announce } from '../../kit/announce.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cellName, columnName, heightOf, rangeName, widthOf } from '../grid/cell-range.ts';

/** So many rows and columns around the active cell can be read. */
const rowsAround = 20;
const columnsAround = 10;

/**
 * What is drawn, as a table that programs for reading aloud know: the cells around the active one with their headers. The
 * cell that becomes active is said.
 */
export function GridMirror({ editor }: { editor: CellEditor }) {
  const last = useRef('');
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
  return (
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
      {rowNumbers.map((row) => (
        <div key={row} role="row" tabIndex={-1} aria-rowindex={row + 2}>
          <span role="rowheader" tabIndex={-1}>
            {row + 1}
          </span>
          {columnNumbers.map((column) => {
            const isActive = row === active.row && column === active.column;
            const isSelected = ranges.some(
              (range) =>
                row >= range.top && row <= range.bottom && column >= range.left && column <= range.right,
            );
            return (
              <span
                key={column}
                id={isActive ? 'active-cell' : undefined}
                role="gridcell"
                tabIndex={-1}
                aria-colindex={column + 2}
                aria-selected={isSelected}
                data-cell={cellName({ row, column })}
              >
                {view.cellAt(row, column)?.text ?? ''}
              </span>
            );
          })}
        </div>
      ))}
    </div>
  );
}
