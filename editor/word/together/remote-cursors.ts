import { type EditorState, Plugin, PluginKey } from 'prosemirror-state';
import { type Mappable, Mapping } from 'prosemirror-transform';
import { Decoration, DecorationSet } from 'prosemirror-view';
import * as z from 'zod/mini';
import { CursorExchange, type CursorKind } from '../../shell/people/cursor-exchange.ts';
import type { Presence } from '../../shell/people/presence.ts';
import type { Feature, WordEditor } from '../word-editor.ts';
import './remote-cursors.css';

interface Selected {
  readonly anchor: number;
  readonly head: number;
}

type Cursors = ReadonlyMap<string, Selected>;

/** Positions of others' selections by person; a transaction carries the new ones as its meta data. */
const key = new PluginKey<Cursors>('remote-cursors');

const cursorSchema = z.object({
  /** Positions of the selection in the document as it is after `v` changes of the log. */
  a: z.int().check(z.nonnegative()),
  h: z.int().check(z.nonnegative()),
  v: z.int().check(z.nonnegative()),
});

/** Where somebody's selection is, as the editors of text tell each other. */
interface CursorPlace {
  readonly anchor: number;
  readonly head: number;
  readonly version: number;
}

const encodeCursor = ({ anchor, head, version }: CursorPlace): string =>
  JSON.stringify({ a: anchor, h: head, v: version });

/** Null for what another kind of editor has sent. */
function decodeCursor(text: string): CursorPlace | null {
  try {
    const { a, h, v } = z.parse(cursorSchema, JSON.parse(text));
    return { anchor: a, head: h, version: v };
  } catch {
    return null;
  }
}

/** Others' selections, which move with the text, and this person's, which others are shown. */
export const remoteCursorsFeature: Feature = (editor) => [
  new Plugin<Cursors>({
    key,
    state: {
      init: () => new Map(),
      apply: (tr, cursors) => {
        const changed = (tr.getMeta(key) as Cursors | undefined) ?? cursors;
        return tr.docChanged && changed.size > 0 ? mapped(changed, tr.mapping) : changed;
      },
    },
    props: {
      decorations: (state) => decorations(state, editor.presence),
    },
    view: (view) => {
      const exchange = new CursorExchange(editor.client, textCursors(editor));
      return {
        update: (_view, before) => {
          if (!before.selection.eq(view.state.selection)) exchange.moved();
        },
        destroy: () => exchange.stop(),
      };
    },
  }),
];

function mapped(cursors: Cursors, mapping: Mappable): Cursors {
  return new Map([...cursors].map(([id, selected]) => [id, mapSelected(selected, mapping)]));
}

const mapSelected = ({ anchor, head }: Selected, mapping: Mappable): Selected => ({
  anchor: mapping.map(anchor),
  head: mapping.map(head),
});

function decorations(state: EditorState, presence: Presence): DecorationSet {
  const cursors = key.getState(state)!;
  if (cursors.size === 0) return DecorationSet.empty;
  const size = state.doc.content.size;
  const all: Decoration[] = [];
  for (const person of presence.people.value) {
    const selected = cursors.get(person.id);
    if (!selected || person.isMe) continue;
    const head = Math.min(size, selected.head);
    const anchor = Math.min(size, selected.anchor);
    const style = `--person: ${person.color}`;
    if (anchor !== head) {
      const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)];
      all.push(Decoration.inline(from, to, { class: 'remote-selection', style }));
    }
    all.push(
      Decoration.widget(head, () => caret(person.name, style), {
        key: `${person.id} ${person.name}`,
        side: 10,
        ignoreSelection: true,
      }),
    );
  }
  return DecorationSet.create(state.doc, all);
}

function caret(name: string, style: string): HTMLElement {
  const element = document.createElement('span');
  element.className = 'remote-caret';
  element.style.cssText = style;
  // Who is where is told in the list of people; in the text it would be read in the middle of sentences.
  element.setAttribute('aria-hidden', 'true');
  const label = document.createElement('span');
  label.textContent = name;
  element.append(label);
  return element;
}

/** Cursors as positions in the text, which the changes since then have moved. */
function textCursors(editor: WordEditor): CursorKind<CursorPlace> {
  const { session, presence } = editor;
  return {
    own() {
      const unsent = session.unsentMaps().map((map) => map.invert());
      const back = new Mapping(unsent.reverse());
      const { anchor, head } = session.state.selection;
      return encodeCursor({ anchor: back.map(anchor), head: back.map(head), version: session.version });
    },
    decode: decodeCursor,
    show(id, place) {
      const maps = session.mapsSince(place.version);
      if (place.version > session.version) return 'early';
      if (maps === null) return 'late';
      editor.readCaret();
      const forward = new Mapping([...maps, ...session.unsentMaps()]);
      const { doc, tr } = session.state;
      const limit = (position: number) => Math.min(doc.content.size, position);
      const selected = mapSelected(place, forward);
      const cursors = new Map(key.getState(session.state));
      cursors.set(id, { anchor: limit(selected.anchor), head: limit(selected.head) });
      editor.dispatch(tr.setMeta(key, cursors).setMeta('addToHistory', false));
      if (presence.followed.peek() === id) scrollTo(editor, limit(selected.head));
      return 'shown';
    },
    keepOnly(ids) {
      editor.readCaret();
      const cursors = key.getState(session.state)!;
      const kept = new Map([...cursors].filter(([id]) => ids.includes(id)));
      if (kept.size < cursors.size) editor.dispatch(session.state.tr.setMeta(key, kept));
    },
  };
}

/** Scrolls so that a position is in sight, without moving this person's own selection. */
export function scrollTo(editor: WordEditor, position: number): void {
  const place = editor.view?.domAtPos(position);
  const element = place?.node instanceof Element ? place.node : place?.node.parentElement;
  element?.scrollIntoView({ block: 'nearest' });
}

/** Where a person's cursor is, or null while they have not shown it. */
export function cursorOf(state: EditorState, id: string): number | null {
  return key.getState(state)?.get(id)?.head ?? null;
}
