import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import { dialogKeys, shownShortcut } from '../actions.ts';
import './shortcuts-dialog.css';

/** What keys do, in words. */
export interface Shortcut {
  readonly label: string;
  /** Names of keys, as `shownShortcut` takes them. */
  readonly keys: readonly string[];
}

interface ShortcutsDialogProps {
  /** Those of the kind, in the order in which they are listed. */
  shortcuts: () => Promise<readonly Shortcut[]>;
  onClose: () => void;
}

/** All keys that do something. */
export function ShortcutsDialog({ shortcuts, onClose }: ShortcutsDialogProps) {
  const [ofKind, setOfKind] = useState<readonly Shortcut[]>([]);
  useEffect(() => void shortcuts().then(setOfKind), []);
  const shared = [
    { label: t('dialogs.saveNow'), keys: ['Mod-s'] },
    { label: t('toolbar.find'), keys: [dialogKeys.find] },
    { label: t('toolbar.shortcuts'), keys: [dialogKeys.shortcuts] },
  ];
  return (
    <Dialog title={t('toolbar.shortcuts')} onClose={onClose} width="40rem">
      <dl class="shortcuts">
        {[...shared, ...ofKind].map(({ label, keys }) => (
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
