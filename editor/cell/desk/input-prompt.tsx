import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { validationAt } from '../commands/validation.ts';
import { sideBelow } from './cell-side.ts';

/** About as wide as a longer sentence is. */
const promptPx = 240;

/** What a validation says to who comes to its cells. */
export function InputPrompt({ editor }: { editor: CellEditor }) {
  const cell = editor.selection.value.active;
  const view = editor.page.view.value;
  const rule = validationAt(view.sheet, cell);
  const rect = editor.canEdit && rule?.showsPrompt && editor.grid?.rectOfCell(cell);
  if (!rule || !rect || !(rule.prompt || rule.promptTitle)) return null;
  const place = {
    ...sideBelow(editor.grid!.layout, rect, promptPx),
    top: `${rect.y + rect.height + 4}px`,
  };
  return (
    <div class="cell-hint" role="note" aria-label={t('rules.validation')} style={place}>
      {rule.promptTitle && (
        <p>
          <b>{rule.promptTitle}</b>
        </p>
      )}
      {rule.prompt && <p>{rule.prompt}</p>}
    </div>
  );
}
