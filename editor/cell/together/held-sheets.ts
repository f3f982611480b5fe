import { effect } from '@preact/signals';
import type { Person } from '../../shell/people/people.ts';
import type { CellEditor } from '../cell-editor.ts';

/** Keeps up with which sheets others hold. Returns how to stop. */
export function followHeldSheets(editor: CellEditor): () => void {
  const update = () => {
    const people = editor.presence.people.peek();
    const held = new Map<string, Person>();
    for (const [sheet, { user }] of editor.session.locks) {
      const holder = people.find(({ id }) => id === user);
      if (holder) held.set(sheet, holder);
    }
    editor.held.value = held;
  };
  const stops = [
    editor.client.on('locks', update),
    effect(() => {
      editor.presence.people.value;
      update();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
