import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import { type Action, actions } from '../../word/commands/actions.ts';
import { type DialogName, dialogKeys } from '../../word/dialogs/dialog-name.ts';
import { shownShortcut } from '../shortcuts.ts';
import './shortcuts-dialog.css';

/** All keys that do something. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const ofActions = Object.values<Action>(actions)
    .filter(({ keys }) => keys?.length)
    .map(({ label, keys = [] }) => ({ label: t(label), keys }));
  const ofDialogs = Object.entries(dialogKeys).map(([name, key]) => ({
    label: t(`toolbar.${name as DialogName}`),
    keys: [key],
  }));
  const others = [
    { label: t('dialogs.nextLevel'), keys: ['Tab'] },
    { label: t('dialogs.previousLevel'), keys: ['Shift-Tab'] },
    { label: t('dialogs.saveNow'), keys: ['Mod-s'] },
    { label: t('dialogs.leaveText'), keys: ['Alt-F10'] },
    { label: t('toolbar.contextMenu'), keys: ['Shift-F10'] },
    { label: t('dialogs.nativeMenu'), keys: [`Ctrl-${t('dialogs.rightClick')}`] },
  ];
  return (
    <Dialog title={t('toolbar.shortcuts')} onClose={onClose} width="40rem">
      <dl class="shortcuts">
        {[...others, ...ofDialogs, ...ofActions].map(({ label, keys }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{shownShortcut(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
