import type { LaterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { cornerOf, rangeOf } from '../grid/cell-areas.ts';

/**
 * Holds what is selected now, for what is to be done to it later. What is returned does that, once; null lets go of it. Who has gone
 * elsewhere meanwhile stays there, and it is done to the cells that were meant, wherever others have moved them; not if these are gone.
 */
export function holdSelected(editor: CellEditor): (act: (() => unknown) | null) => void {
  const meant = editor.selection.peek();
  const sheet = editor.page.sheetId.peek();
  const record = editor.records.begin(sheet);
  return (act) => {
    const now = { selection: editor.selection.peek(), sheet: editor.page.sheetId.peek() };
    const ranges = meant.ranges.map((range) => record.now(range)).filter((range) => range !== null);
    const [active, head] = [meant.active, meant.head].map((cell) => record.now(rangeOf(cell)));
    record.end();
    if (!act) return;
    if (now.selection === meant) act();
    else if (active && head && ranges.length === meant.ranges.length) {
      editor.sheets.show(sheet);
      if (editor.page.sheetId.peek() !== sheet) return;
      const selection = { ...meant, ranges, active: cornerOf(active), head: cornerOf(head) };
      editor.select(selection, { reveals: false });
      act();
      editor.sheets.show(now.sheet);
      editor.select(now.selection, { reveals: false });
    }
  };
}

/** Does something to what is selected now: at once, or when what does it is there. */
export function actOnSelected<Part>(
  editor: CellEditor,
  part: LaterPart<Part>,
  act: (loaded: Part) => unknown,
): void {
  if (part.loaded) {
    act(part.loaded);
    return;
  }
  const onMeant = holdSelected(editor);
  void part.loadOrTell().then((loaded) => onMeant(loaded && (() => act(loaded))));
}

/** Goes or types somewhere, as seen from what is selected now: at once, or when what does it is there, unless people are elsewhere then. */
export function goFromSelected<Part>(
  editor: CellEditor,
  part: LaterPart<Part>,
  go: (loaded: Part) => unknown,
): void {
  if (part.loaded) {
    go(part.loaded);
    return;
  }
  const from = editor.selection.peek();
  void part.loadOrTell().then((loaded) => {
    if (loaded && editor.selection.peek() === from && !editor.editing.peek()) go(loaded);
  });
}
