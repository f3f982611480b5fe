import type { MenuEntry } from '../../kit/menu.tsx';
import { togglePanel } from '../../shell/document-editor.ts';
import { t } from '../../strings/strings.ts';
import { entriesOf } from '../toolbar/entries.ts';
import type { WordEditor } from '../word-editor.ts';
import { type Display, displays } from './review.ts';
import type { Decision } from './tracking/revision.ts';
import { rangeAtCursor, settleChanges } from './tracking/settle-changes.ts';

/** What concerns tracked changes and comments. */
export function reviewEntries(editor: WordEditor): MenuEntry[] {
  const { review, role, session, config } = editor;
  const { hideReviewDisplay } = config.editorConfig.customization.review;
  const here = rangeAtCursor(editor);
  const decide = (decision: Decision, label: string, isAll: boolean): MenuEntry => ({
    label,
    disabled: !role.canEdit || (!isAll && !here),
    run: () => {
      const range = isAll ? { from: 0, to: session.state.doc.content.size } : here;
      if (range) settleChanges(editor, decision, range);
    },
  });
  const display = (name: Display): MenuEntry => ({
    label: t(`review.display_${name}`),
    checked: review.display.value === name,
    run: () => {
      review.display.value = name;
    },
  });
  const panel = (name: 'comments' | 'changes'): MenuEntry => ({
    label: t(`toolbar.${name}`),
    checked: editor.panel.value === name,
    run: () => togglePanel(editor, name),
  });
  return [
    ...entriesOf(editor, ['comment', 'trackChanges']),
    'separator',
    decide('accept', t('review.acceptHere'), false),
    decide('reject', t('review.rejectHere'), false),
    decide('accept', t('review.acceptAll'), true),
    decide('reject', t('review.rejectAll'), true),
    ...(hideReviewDisplay ? [] : ['separator' as const, ...displays.map(display)]),
    'separator',
    panel('comments'),
    panel('changes'),
    ...(editor.comparison.isPossible
      ? ['separator' as const, { label: t('compare.menu'), run: () => editor.comparison.ask() }]
      : []),
  ];
}
