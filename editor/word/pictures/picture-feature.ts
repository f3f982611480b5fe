import type { Signal } from '@preact/signals';
import { NodeSelection, Plugin, PluginKey, type Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { ViewedDocument } from '../view/viewed-document.ts';
import './picture-feature.css';

/** Placeholders of pictures that are being uploaded, and the dialog about a picture that is double-clicked. */
export const picturesFeature = (
  editor: ViewedDocument & { readonly dialog: Signal<string | null> },
): Plugin[] => [
  uploadPlaceholders(),
  new Plugin({
    props: {
      handleDoubleClickOn: (view, _pos, node, nodePos, _event, direct) => {
        if (!direct || node.type.name !== 'image' || !editor.role.canEdit) return false;
        const { tr, doc } = view.state;
        view.dispatch(tr.setSelection(NodeSelection.create(doc, nodePos)));
        editor.dialog.value = 'pictureProperties';
        return true;
      },
    },
  }),
];

type Change = { readonly add: object; readonly at: number } | { readonly remove: object };

const key = new PluginKey<DecorationSet>('upload-placeholders');

/** Shows placeholders for pictures that are being uploaded; they move with the text around them. */
export function uploadPlaceholders(): Plugin {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, places) => changed(places.map(transaction.mapping, transaction.doc), transaction),
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

function changed(places: DecorationSet, transaction: Transaction): DecorationSet {
  const change = transaction.getMeta(key) as Change | undefined;
  if (!change) return places;
  if ('remove' in change) return places.remove(find(places, change.remove));
  return places.add(transaction.doc, [Decoration.widget(change.at, sign, { side: 1, place: change.add })]);
}

function sign(): HTMLElement {
  const element = document.createElement('span');
  element.className = 'picture-uploading';
  return element;
}

const find = (places: DecorationSet, place: object): Decoration[] =>
  places.find(undefined, undefined, (spec) => spec.place === place);

/** A placeholder in the text for a picture until it has been uploaded. */
export class UploadPlaceholder {
  readonly #editor: ViewedDocument;

  /** At the end of the selection unless said otherwise. */
  constructor(editor: ViewedDocument, at = editor.session.state.selection.to) {
    this.#editor = editor;
    editor.dispatch(editor.session.state.tr.setMeta(key, { add: this, at } satisfies Change));
  }

  /** Where it is now; null when the text around it has been deleted. */
  get position(): number | null {
    const places = key.getState(this.#editor.session.state);
    return (places && find(places, this)[0]?.from) ?? null;
  }

  release(): void {
    this.#editor.dispatch(this.#editor.session.state.tr.setMeta(key, { remove: this } satisfies Change));
  }
}
