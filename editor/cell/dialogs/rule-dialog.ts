import type { CellEditor } from '../cell-editor.ts';

/** What every dialog about rules is drawn with. */
export interface RuleDialogProps {
  editor: CellEditor;
  onClose: () => void;
}
