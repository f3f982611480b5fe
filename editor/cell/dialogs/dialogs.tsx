import { useLayoutEffect } from 'preact/hooks';
import { later, laterPart } from '../../kit/later.tsx';
import { PageDialogs } from '../../shell/dialogs/page-dialogs.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { isRuleDialog } from './rule-dialog-names.ts';
import { isSheetDialog } from './sheet-dialog-names.ts';

const SheetDialog = later(async () => (await import('./sheet-dialogs.tsx')).SheetDialog);
const FunctionDialog = later(async () => (await import('./function-dialog.tsx')).FunctionDialog);
const RuleDialog = later(async () => (await import('./rule-dialogs.tsx')).RuleDialog);
const keys = laterPart(() => import('../commands/keys/shortcuts.ts'));

/** The dialog that is open, if one is. */
export function Dialogs({ editor }: { editor: CellEditor }) {
  const name = editor.dialog.value;
  const close = () => {
    editor.dialog.value = null;
  };
  useLayoutEffect(() => {
    if (name === null || name === 'find') return undefined;
    return () => editor.focus();
  }, [editor, name]);
  if (name === 'function') return <FunctionDialog editor={editor} onClose={close} />;
  if (name !== null && isSheetDialog(name))
    return <SheetDialog key={name} editor={editor} name={name} onClose={close} />;
  if (name !== null && isRuleDialog(name))
    return <RuleDialog key={name} editor={editor} name={name} onClose={close} />;
  return <PageDialogs editor={editor} shortcuts={async () => (await keys.loadOrTell())?.shortcuts() ?? []} />;
}
