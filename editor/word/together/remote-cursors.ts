import { type EditorState, Plugin, PluginKey } from 'prosemirror-state';
import { type Mappable, Mapping } from 'prosemirror-transform';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { Presence } from '../../shell/people/presence.ts';
import type { Feature, WordEditor } from '../word-editor.ts';
import { type CursorPlace, decodeCursor, encodeCursor } from './cursor-message.ts';
import './remote-cursors.css';

interface Selected {
  readonly anchor: number;
  readonly head: number;
}

type Cursors = ReadonlyMap<string, Selected>;

/** Positions of others' selections by person; a transaction carries the new ones as its meta data. */
const key = new PluginKey<Cursors>('remote-cursors');

/** Cursors are sent at most so often. */
const sendEveryMs = 100;
/** A cursor that is ahead of what this page has received is kept so long. */
const waitForChangesMs = 5_000;

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
      const sender = new CursorSender(editor);
      const stopReceiving = receive(editor, editor.presence);
      return {
        update: (_view, before) => {
          if (!before.selection.eq(view.state.selection)) sender.changed();
        },
        destroy: () => {
          sender.stop();
          stopReceiving();
        },
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

/** Tells others where this person's selection is, in terms of the changes that they have as well. */
class CursorSender {
  readonly #editor: WordEditor;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(editor: WordEditor) {
    this.#editor = editor;
    this.changed();
  }

  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#send();
    }, sendEveryMs);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #send(): void {
    const { session } = this.#editor;
    const unsent = session.unsentMaps().map((map) => map.invert());
    const back = new Mapping(unsent.reverse());
    const { anchor, head } = session.state.selection;
    session.client.cursor(
      encodeCursor({ anchor: back.map(anchor), head: back.map(head), version: session.version }),
    );
  }
}

function receive(editor: WordEditor, presence: Presence): () => void {
  const { session } = editor;
  const early = new Map<string, { place: CursorPlace; until: number }>();

  const show = (id: string, place: CursorPlace): boolean => {
    const maps = session.mapsSince(place.version);
    if (place.version > session.version || maps === null) return false;
    editor.readCaret();
    const forward = new Mapping([...maps, ...session.unsentMaps()]);
    const { doc, tr } = session.state;
    const limit = (position: number) => Math.min(doc.content.size, position);
    const selected = mapSelected(place, forward);
    const cursors = new Map(key.getState(session.state));
    cursors.set(id, { anchor: limit(selected.anchor), head: limit(selected.head) });
    editor.dispatch(tr.setMeta(key, cursors).setMeta('addToHistory', false));
    if (presence.followed.peek() === id) scrollTo(editor, limit(selected.head));
    return true;
  };
  const stops = [
    session.client.on('cursor', ({ user, cursor }) => {
      const place = decodeCursor(cursor);
      if (!place || user === session.client.userId) return;
      early.delete(user);
      if (!show(user, place) && place.version > session.version) {
        early.set(user, { place, until: Date.now() + waitForChangesMs });
      }
    }),
    session.client.on('status', () => {
      for (const [id, { place, until }] of early) {
        if (Date.now() > until || show(id, place)) early.delete(id);
      }
    }),
    session.client.on('participants', (participants) => {
      editor.readCaret();
      const cursors = key.getState(session.state)!;
      const left = [...cursors.keys()].filter((id) => !participants.some((one) => one.id === id));
      if (left.length === 0) return;
      const kept = new Map([...cursors].filter(([id]) => !left.includes(id)));
      editor.dispatch(session.state.tr.setMeta(key, kept));
    }),
  ];
  return () => {
    for (const stop of stops) stop();
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
