import { Fragment, type Node, Slice } from 'prosemirror-model';
import { type EditorState, Plugin, TextSelection, type Transaction } from 'prosemirror-state';
import { ReplaceStep } from 'prosemirror-transform';
import type { EditorView } from 'prosemirror-view';
import { wordSchema } from '../../../../model/word/schema.ts';
import { announce } from '../../../kit/announce.tsx';
import { pictureFiles } from '../../../shell/pictures/upload-pictures.ts';
import { t } from '../../../strings/strings.ts';
import { kindOfList, newTag } from '../../commands/lists.ts';
import { changeAttributes } from '../../commands/paragraph-format.ts';
import {
  insertPastedPictures,
  insertPictureFiles,
  type PastedPicture,
} from '../../pictures/insert-pictures.ts';
import type { ViewedDocument } from '../viewed-document.ts';
import { adoptSlice, presentIds } from './adopt-slice.ts';
import { ClipboardParser, standsForPicture } from './clipboard-parser.ts';
import { CopySerializer } from './copy-serializer.ts';
import { sliceOfText, textOfSlice } from './plain-text.ts';
import { type CopiedSlice, decodeSlice, encodeSlice, foreignLists, quireType } from './quire-clipboard.ts';

/** Copying out, and pasting and dropping of what Quire, other programs and the web have copied. */
export function clipboard(editor: ViewedDocument): Plugin {
  const { styles } = editor;
  const kindOf = kindOfList(editor.document.lists);
  const parser = new ClipboardParser(styles, newTag);
  return new Plugin({
    props: {
      clipboardParser: parser,
      clipboardSerializer: new CopySerializer({ styles, kindOf, mediaUrl: (path) => editor.mediaUrl(path) }),
      clipboardTextParser: sliceOfText,
      clipboardTextSerializer: textOfSlice,
      handleDOMEvents: {
        copy: (view, event) => copy(editor, view, event, false),
        cut: (view, event) => copy(editor, view, event, true),
        dragstart: (_view, event) => {
          if (!editor.role.canCopy) event.preventDefault();
          return !editor.role.canCopy;
        },
      },
      handlePaste: (view, event, slice) => {
        const data = event.clipboardData;
        const copied = data ? decodeSlice(data.getData(quireType)) : null;
        const files = pictureFiles(data);
        if (copied) pasteCopied(editor, view, copied);
        // Programs add a picture of copied text; a copied picture has no text beside it.
        else if (files.length > 0 && slice.content.textBetween(0, slice.content.size).trim() === '')
          void insertPictureFiles(editor, files);
        else pasteHtml(editor, view, slice, parser.takePictures());
        return true;
      },
      handleDrop: (view, event) => {
        const files = pictureFiles(event.dataTransfer);
        if (files.length === 0 || view.dragging) return false;
        event.preventDefault();
        moveCursorTo(view, event);
        void insertPictureFiles(editor, files);
        return true;
      },
    },
  });
}

/** Puts the selection on the clipboard. True if the browser has nothing left to do. */
function copy(editor: ViewedDocument, view: EditorView, event: ClipboardEvent, cuts: boolean): boolean {
  if (!editor.role.canCopy) {
    event.preventDefault();
    announce(t('view.copyForbidden'));
    return true;
  }
  const { selection } = view.state;
  if (selection.empty || !event.clipboardData) return false;
  event.preventDefault();
  const slice = selection.content();
  const { dom, text } = view.serializeForClipboard(slice);
  const { styles, document, config } = editor;
  event.clipboardData.clearData();
  event.clipboardData.setData('text/html', dom.innerHTML);
  event.clipboardData.setData('text/plain', text);
  event.clipboardData.setData(
    quireType,
    encodeSlice(slice, config.document.key, styles, kindOfList(document.lists)),
  );
  if (cuts && view.editable)
    view.dispatch(view.state.tr.deleteSelection().scrollIntoView().setMeta('uiEvent', 'cut'));
  return true;
}

/** Pastes what a page of Quire has copied, from this document or another one. */
function pasteCopied({ config, styles }: ViewedDocument, view: EditorView, copied: CopiedSlice): void {
  const sameDocument = copied.documentKey === config.document.key;
  const adopted = adoptSlice(copied.slice, {
    sameDocument,
    present: presentIds(view.state.doc),
    listId: sameDocument ? (listId) => listId : foreignLists(copied.lists, newTag),
    styleId: (styleId) => {
      if (sameDocument) return styleId;
      const name = copied.styles[styleId]?.toLowerCase();
      return styles.all.find((style) => style.name.toLowerCase() === name)?.id ?? null;
    },
  });
  dispatchPaste(view, pasteSlice(view.state, adopted, () => false).transaction);
}

/** Pastes what was read from HTML or text; its pictures come when they are uploaded. */
function pasteHtml(
  editor: ViewedDocument,
  view: EditorView,
  slice: Slice,
  pictures: readonly PastedPicture[],
): void {
  const { transaction, placesBeforeEnd } = pasteSlice(view.state, slice, standsForPicture);
  dispatchPaste(view, transaction);
  // What was replaced may have stayed, marked as deleted: the end of what was pasted is where the cursor is.
  const end = editor.session.state.selection.to;
  void insertPastedPictures(
    editor,
    pictures.map((picture, index) => ({ ...picture, at: end - (placesBeforeEnd[index] ?? 0) })),
  );
}

function dispatchPaste(view: EditorView, transaction: Transaction): void {
  view.dispatch(transaction.setMeta('paste', true).setMeta('uiEvent', 'paste').scrollIntoView());
}

function moveCursorTo(view: EditorView, { clientX, clientY }: DragEvent): void {
  const at = view.posAtCoords({ left: clientX, top: clientY });
  if (!at) return;
  const { tr, doc } = view.state;
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(at.pos))));
}

const { nodes } = wordSchema;

/** What of a paragraph is not how it looks but which one it is. */
const own = new Set(['id', 'origin', 'markInserted', 'markDeleted']);

/** A paste, and where in it pictures belong. */
interface Pasted {
  readonly transaction: Transaction;
  /** How far before the end of what was pasted each of the pictures stands, in their order. */
  readonly placesBeforeEnd: readonly number[];
}

/**
 * Replaces the selection as ProseMirror does, but an empty paragraph becomes what is pasted into it: a heading stays one.
 * Nodes that stand for pictures which are still to come do not get into the document.
 * @param stands whether a node stands for a picture
 */
function pasteSlice(state: EditorState, slice: Slice, stands: (node: Node) => boolean): Pasted {
  const { $from, $to } = state.selection;
  const isEmpty = $from.parent.type === nodes.paragraph && $from.sameParent($to) && isAll(state);
  const first = slice.content.firstChild;
  const { transaction, places } = withoutStanding(state, state.tr.replaceSelection(slice), stands);
  if (isEmpty && slice.openStart > 0 && first?.type === nodes.paragraph) {
    const at = $from.before();
    const paragraph = transaction.doc.nodeAt(at);
    const said = Object.entries(first.attrs).filter(([name, value]) => value !== null && !own.has(name));
    if (paragraph) changeAttributes(transaction, at, paragraph, Object.fromEntries(said));
  }
  const end = transaction.selection.to;
  return { transaction, placesBeforeEnd: places.map((place) => end - place) };
}

/** The paragraph of the selection has no content but what is selected. */
const isAll = ({ selection: { $from, $to } }: EditorState): boolean =>
  $from.parentOffset === 0 && $to.parentOffset === $to.parent.content.size;

/** The same replacement without certain leaves, and the positions where they would be. */
function withoutStanding(
  state: EditorState,
  given: Transaction,
  stands: (node: Node) => boolean,
): { transaction: Transaction; places: number[] } {
  const found: number[] = [];
  const [step] = given.steps;
  given.doc.descendants((node, position) => {
    if (stands(node)) found.push(position);
  });
  if (found.length === 0) return { transaction: given, places: [] };
  const places = found.map((position, index) => position - index);
  const before = (position: number) => position - found.filter((one) => one < position).length;
  const head = before(given.selection.head);
  let transaction = state.tr;
  if (given.steps.length === 1 && step instanceof ReplaceStep) {
    const { from, to, slice } = step;
    transaction.step(new ReplaceStep(from, to, stripped(slice, stands)));
  } else {
    transaction = given;
    for (const position of found.toReversed()) transaction.delete(position, position + 1);
  }
  transaction.setSelection(TextSelection.near(transaction.doc.resolve(head), -1));
  return { transaction, places };
}

function stripped({ content, openStart, openEnd }: Slice, stands: (node: Node) => boolean): Slice {
  const strip = (fragment: Fragment): Fragment => {
    const kept: Node[] = [];
    fragment.forEach((node) => {
      if (!stands(node)) kept.push(node.isLeaf ? node : node.copy(strip(node.content)));
    });
    return Fragment.fromArray(kept);
  };
  return new Slice(strip(content), openStart, openEnd);
}
