import type { ReadonlySignal } from '@preact/signals';
import type { Axis } from '../../../model/cell/area.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { groupName, showLevel, toggleGroup } from '../commands/grouping.ts';
import { rangeOf } from '../grid/cell-areas.ts';
import { type GridLayout, outlineStepPx, type Pane } from '../grid/grid-layout.ts';
import type { OutlineGroup } from '../grid/outline.ts';
import { placedAt, type Rect } from '../grid/rect.ts';
import './outline-bars.css';

export interface OutlineBarsProps {
  editor: CellEditor;
  /** Followed only where there are groups. */
  layout: ReadonlySignal<GridLayout | null>;
}

/** Brackets beside the headers, with buttons that open and close groups of rows and columns. */
export function OutlineBars({ editor, layout: shown }: OutlineBarsProps) {
  const { rowOutline, columnOutline } = editor.page.view.value;
  const layout = rowOutline.depth + columnOutline.depth > 0 ? shown.value : null;
  if (!layout) return null;
  return (
    <>
      {rowOutline.depth > 0 && <Bar editor={editor} layout={layout} axis="row" />}
      {columnOutline.depth > 0 && <Bar editor={editor} layout={layout} axis="column" />}
    </>
  );
}

interface BarProps {
  editor: CellEditor;
  layout: GridLayout;
  axis: Axis;
}

function Bar({ editor, layout, axis }: BarProps) {
  const { outlineWidth, outlineHeight, headerWidth, headerHeight, sheet } = layout;
  const isRow = axis === 'row';
  const { groups, depth } = isRow ? sheet.rowOutline : sheet.columnOutline;
  const panes = layout.panes.filter((pane) => (isRow ? pane.scrollsAcross : pane.scrollsDown));
  const levels = Array.from({ length: depth + 1 }, (_, at) => at + 1);
  const corner = layout.turned(
    isRow
      ? { x: 0, y: outlineHeight, width: outlineWidth, height: headerHeight - outlineHeight }
      : { x: outlineWidth, y: 0, width: headerWidth - outlineWidth, height: outlineHeight },
  );
  const bar = layout.turned({ x: 0, y: 0, width: outlineWidth, height: outlineHeight });
  return (
    <div role="group" aria-label={isRow ? t('sheet.rowGroups') : t('sheet.columnGroups')}>
      <div class={`outline-levels outline-${axis}`} dir={directionOf(sheet)} style={placedAt(corner)}>
        {levels.map((level) => (
          <button
            key={level}
            type="button"
            tabIndex={-1}
            disabled={!editor.canEdit}
            aria-label={t('sheet.showLevel', { level })}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => showLevel(editor, axis, level)}
          >
            {level}
          </button>
        ))}
      </div>
      {panes.map((pane) => {
        const clip = isRow
          ? { ...pane.rect, x: bar.x, width: bar.width }
          : { ...pane.rect, y: bar.y, height: bar.height };
        return (
          <div
            key={isRow ? pane.scrollsDown : pane.scrollsAcross}
            class={`outline-bar outline-${axis}`}
            dir={directionOf(sheet)}
            style={placedAt(clip)}
          >
            {groups.map((group) => (
              <Group key={`${group.level} ${group.from}`} {...{ editor, layout, axis, group, pane, clip }} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

/** The bracket of a group and its button, as far as they are seen in a pane. */
function Group({
  editor,
  layout,
  axis,
  group,
  pane,
  clip,
}: BarProps & { group: OutlineGroup; pane: Pane; clip: Rect }) {
  const { sheet } = layout;
  const [first, last] = axis === 'row' ? [pane.range[0], pane.range[2]] : [pane.range[1], pane.range[3]];
  const lines = axis === 'row' ? sheet.rows : sheet.columns;
  const from = Math.max(group.from, first);
  const to = Math.min(group.to, last);
  const level = (group.level - 1) * outlineStepPx;
  const place = (start: number, end: number) => {
    const [one, other] = [start, end].map((line) =>
      layout.rectIn(
        pane,
        rangeOf(axis === 'row' ? { row: line, column: pane.range[1] } : { row: pane.range[0], column: line }),
      ),
    ) as [Rect, Rect];
    const near = { x: Math.min(one.x, other.x), y: Math.min(one.y, other.y) };
    const far = {
      x: Math.max(one.x + one.width, other.x + other.width),
      y: Math.max(one.y + one.height, other.y + other.height),
    };
    return axis === 'row'
      ? { insetInlineStart: `${level}px`, top: `${near.y - clip.y}px`, height: `${far.y - near.y}px` }
      : { top: `${level}px`, left: `${near.x - clip.x}px`, width: `${far.x - near.x}px` };
  };
  const hasButton = group.summary >= first && group.summary <= last && !lines.isHidden(group.summary);
  return (
    <>
      {!group.isClosed && from <= to && (
        <span
          class={`outline-line ${group.summary < group.from ? 'outline-before' : ''}`}
          style={place(from, to)}
        />
      )}
      {hasButton && (
        <button
          type="button"
          tabIndex={-1}
          disabled={!editor.canEdit}
          aria-expanded={!group.isClosed}
          aria-label={groupName(axis, group)}
          style={place(group.summary, group.summary)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            toggleGroup(editor, axis, group);
            editor.focus();
          }}
        >
          <span>{group.isClosed ? '+' : '−'}</span>
        </button>
      )}
    </>
  );
}

const directionOf = ({ isRightToLeft }: { readonly isRightToLeft: boolean }) =>
  isRightToLeft ? 'rtl' : 'ltr';
