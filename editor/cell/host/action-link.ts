import { quotedSheet } from '../../../model/cell/formula/formula-parts.ts';
import type { FrameConfig } from '../../frame/frame-config.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { goToName } from '../commands/names.ts';
import { openComment } from '../comments/comment-actions.ts';
import { rangeName } from '../grid/cell-areas.ts';

const followed = new WeakSet<FrameConfig>();

/** Goes where the embedding page's link leads, once the workbook is on the screen for the first time. */
export function followActionLink(editor: CellEditor): void {
  const { config } = editor;
  const action = config.editorConfig.actionLink?.action;
  if (!action || followed.has(config)) return;
  followed.add(config);
  const go = action.type === 'comment' ? openComment : goToName;
  void editor.mounted.then(() => {
    if (!go(editor, action.data)) notify({ text: t('host.placeGone'), kind: 'info' });
  });
}

/** Asks the embedding page for a link to what is selected; it answers with `setActionLink`. */
export function askForLink(editor: CellEditor): void {
  const data = `${quotedSheet(editor.page.sheet.properties.name)}!${rangeName(editor.range)}`;
  editor.host.send('onMakeActionLink', { action: { type: 'bookmark', data } });
}
