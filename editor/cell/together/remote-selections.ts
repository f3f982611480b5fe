import { effect } from '@preact/signals';
import * as z from 'zod/mini';
import type { Area } from '../../../model/cell/area.ts';
import { isArea } from '../../../model/cell/area.ts';
import { CursorExchange, type CursorKind } from '../../shell/people/cursor-exchange.ts';
import type { CellEditor } from '../cell-editor.ts';

import { placeFromLog, placeInLog } from './moved-places.ts';

const cursorSchema = z.object({
  /** The id of the sheet, the selected cells, and whether something is being typed. */
  s: z.string(),
  c: z.custom<Area>(isArea),
  e: z.optional(z.boolean()),
  /** They are as the sheet is after so many changes of the log. */
  v: z.int().check(z.nonnegative()),
});

/** So long the name of somebody who came to a cell is shown there. */
const newForMs = 3_000;

interface CursorPlace {
  readonly sheet: string;
  readonly area: Area;
  readonly isEditing: boolean;
  readonly version: number;
}

/** Tells others what is selected here, and shows what they have selected. Returns how to stop. */
export function exchangeCursors(editor: CellEditor): () => void {
  const names = new ShownNames(editor);
  const exchange = new CursorExchange(editor.client, cellCursors(editor, names));
  const stop = effect(() => {
    editor.selection.value;
    editor.page.sheetId.value;
    editor.editing.value;
    exchange.moved();
  });
  return () => {
    stop();
    names.stop();
    exchange.stop();
  };
}

/** Takes the name of somebody off their cell some time after they came there. */
class ShownNames {
  readonly #editor: CellEditor;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(editor: CellEditor) {
    this.#editor = editor;
  }

  show(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => {
        const { others } = this.#editor;
        const other = others.peek().get(id);
        if (other) others.value = new Map(others.peek()).set(id, { ...other, isNew: false });
      }, newForMs),
    );
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}

function cellCursors(editor: CellEditor, names: ShownNames): CursorKind<CursorPlace> {
  const set = (id: string, place: CursorPlace) => {
    const person = editor.presence.people.peek().find((one) => one.id === id);
    if (!person || person.isMe) return;
    const others = new Map(editor.others.peek());
    others.set(id, {
      name: person.name,
      color: person.color,
      sheet: place.sheet,
      range: place.area,
      isEditing: place.isEditing,
      isNew: true,
    });
    editor.others.value = others;
    names.show(id);
    if (editor.presence.followed.peek() !== id) return;
    editor.sheets.show(place.sheet);
    editor.grid?.reveal({ row: place.area[0], column: place.area[1] });
  };
  return {
    own() {
      const editing = editor.editing.peek();
      const { sheet, area } = placeInLog(editor.session.shown, {
        sheet: editor.page.sheetId.peek(),
        area: editor.range,
      });
      return JSON.stringify({ s: sheet, c: area, ...(editing && { e: true }), v: editor.session.version });
    },
    decode(text) {
      try {
        const { s, c, e, v } = z.parse(cursorSchema, JSON.parse(text));
        return { sheet: s, area: c, isEditing: e === true, version: v };
      } catch {
        return null;
      }
    },
    show(id, place) {
      if (place.version > editor.session.version) return 'early';
      const moved = placeFromLog(editor.session.shown, place, place.version);
      if (!moved) return 'late';
      set(id, { ...place, ...moved });
      return 'shown';
    },
    keepOnly(ids) {
      const others = [...editor.others.peek()].filter(([id]) => ids.includes(id));
      if (others.length < editor.others.peek().size) editor.others.value = new Map(others);
    },
  };
}
