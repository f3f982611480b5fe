import type { WordEditor } from '../word-editor.ts';

export interface DialogProps {
  editor: WordEditor;
  onClose: () => void;
}
