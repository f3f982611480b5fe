import type { Staleness } from '../../../model/calculation/calculation.ts';
import type { StringKey } from '../../strings/strings.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { linkAt } from '../commands/links.ts';
import { commentsAt } from '../comments/comment-threads.ts';
import { cornerOf } from '../grid/cell-areas.ts';
import type { GestureState } from './gestures/gesture-state.ts';

/** What errors mean, by their names. */
const errors: ReadonlyMap<string, StringKey> = new Map(
  Object.entries<StringKey>({
    '#NULL!': 'sheet.errorNull',
    '#DIV/0!': 'sheet.errorDivision',
    '#VALUE!': 'sheet.errorValue',
    '#REF!': 'sheet.errorReference',
    '#NAME?': 'sheet.errorName',
    '#NUM!': 'sheet.errorNumber',
    '#N/A': 'sheet.errorMissing',
    '#SPILL!': 'sheet.errorSpill',
    '#CALC!': 'sheet.errorCalculation',
  }),
);

/** Why cells have values that nobody has calculated here. */
const staleReasons: Readonly<Record<Staleness, StringKey>> = {
  circular: 'sheet.staleCircular',
  'unknown-function': 'sheet.staleFunction',
  'not-supported': 'sheet.staleUnsupported',
  external: 'sheet.staleExternal',
  unreadable: 'sheet.staleUnreadable',
  'too-deep': 'sheet.staleDeep',
  failed: 'sheet.staleFailed',
  endless: 'sheet.staleEndless',
};

export interface CellHintProps {
  readonly editor: CellEditor;
  readonly state: GestureState;
  readonly onClose: () => void;
}

/** What is said of the cell under the pointer: its comments, what its error means, why it is not calculated, where its link leads. */
export function CellHint({ editor, state }: CellHintProps) {
  const hovered = state.hovered.value;
  if (!hovered || state.menu.value || editor.editing.value) return null;
  const view = editor.page.view.value;
  // Of merged cells the first has all of it.
  const merge = view.mergeAt(hovered.row, hovered.column);
  const cell = merge ? cornerOf(merge) : hovered;
  const shown = view.cellAt(cell.row, cell.column);
  const comments = commentsAt(view.sheet, cell);
  const link = linkAt(editor, cell);
  const error = shown?.kind === 'error' ? errors.get(shown.text) : undefined;
  const stale = editor.cells.staleReason(editor.page.sheet, cell);
  const rect = editor.grid?.rectOfCell(cell);
  if (!rect || (comments.length === 0 && !error && !link && !stale)) return null;
  const { width } = editor.grid!.layout;
  const isFar = rect.x + rect.width > width - 240;
  const place = isFar ? { right: `${width - rect.x + 4}px` } : { left: `${rect.x + rect.width + 4}px` };
  return (
    <div class="cell-hint" role="note" style={{ ...place, top: `${Math.max(0, rect.y)}px` }}>
      {error && !stale && <p>{t(error)}</p>}
      {stale && <p>{t(staleReasons[stale])}</p>}
      {link && (
        <p>
          {link.address ?? link.location}
          <br />
          {t('sheet.openLink')}
        </p>
      )}
      {comments.map(({ author, text }, index) => (
        <p key={index}>
          {author !== '' && <b>{author}: </b>}
          {text}
        </p>
      ))}
    </div>
  );
}
