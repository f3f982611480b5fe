import type { Shortcut } from '../../../shell/dialogs/shortcuts-dialog.tsx';
import { t } from '../../../strings/strings.ts';
import { type Action, actions } from '../actions.ts';
import { dialogKeys, goToKeys } from './page-keys.ts';

/** What keys do in a workbook, in words. */
export function shortcuts(): Shortcut[] {
  const ofActions = Object.values<Action>(actions)
    .filter(({ keys }) => keys?.length)
    .map(({ label, keys = [] }) => ({ label: t(label), keys }));
  return [
    { label: t('sheet.keyEdit'), keys: ['F2'] },
    { label: t('sheet.keyLine'), keys: ['Alt-Enter'] },
    { label: t('sheet.keyAll'), keys: ['Mod-Enter'] },
    { label: t('sheet.keyAbsolute'), keys: ['F4'] },
    { label: t('sheet.keyRepeat'), keys: ['F4'] },
    { label: t('sheet.keyJump'), keys: ['Mod-ArrowDown'] },
    { label: t('sheet.keyRegion'), keys: ['Ctrl-Shift-*'] },
    { label: t('sheet.keyCorner'), keys: ['Ctrl-.'] },
    { label: t('sheet.keySheets'), keys: ['Ctrl-PageUp', 'Ctrl-PageDown'] },
    { label: t('sheet.keyToday'), keys: ['Ctrl-;'] },
    { label: t('sheet.keyNow'), keys: ['Ctrl-Shift-;'] },
    { label: t('sheet.keyFormulaAbove'), keys: ["Ctrl-'"] },
    { label: t('sheet.keyValueAbove'), keys: ["Ctrl-Shift-'"] },
    { label: t('sheet.keyList'), keys: ['Alt-ArrowDown'] },
    { label: t('sheet.goTo'), keys: [goToKeys] },
    { label: t('sheet.numberFormat'), keys: [dialogKeys.numberFormat!] },
    { label: t('pasting.special'), keys: [dialogKeys.pasteSpecial!] },
    { label: t('toolbar.link'), keys: [dialogKeys.link!] },
    { label: t('sheet.insertFunction'), keys: [dialogKeys.function!] },
    { label: t('rules.pasteName'), keys: [dialogKeys.pasteName!] },
    { label: t('rules.names'), keys: [dialogKeys.names!] },
    { label: t('review.comment'), keys: ['Shift-F2'] },
    { label: t('dialogs.leaveText'), keys: ['Alt-F10'] },
    { label: t('toolbar.contextMenu'), keys: ['Shift-F10'] },
    ...ofActions,
  ];
}
