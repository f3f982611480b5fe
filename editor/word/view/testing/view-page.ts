import { signal } from '@preact/signals';
import { baseKeymap } from 'prosemirror-commands';
import { history } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import {
  AllSelection,
  type Command,
  EditorState,
  type Plugin,
  Selection,
  type Transaction,
} from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { readFrameConfig } from '../../../frame/frame-config.ts';
import { type Role, roleOf } from '../../../frame/role.ts';
import { uploadPlaceholders } from '../../pictures/picture-feature.ts';
import { Styles } from '../../styles/styles.ts';
import type { WordEditor } from '../../word-editor.ts';
import { viewFeature } from '../view-feature.ts';
import '../../../theme/theme.ts';
import '../../../shell/app.css';
import { parseWordDocument } from '../../../../model/word/document.ts';

/** A block as tests compare it: what is null is left out. */
interface ShownBlock {
  type: string;
  attrs: Record<string, unknown>;
  text: string;
  /** Marks of each piece of text, by the text. */
  runs: Record<string, string[]>;
}

interface ShownDocument {
  json: unknown;
  /** Addresses of pictures by their path. */
  media: Record<string, string>;
  role?: Partial<Role>;
}

/** What the scripts of tests find on `window`. */
interface ViewPage {
  show(shown: ShownDocument): Promise<void>;
  /** Pastes at the end of the document. */
  paste(data: Record<string, string>): void;
  /** What the clipboard has after everything was copied. */
  copyAll(): Record<string, string>;
  blocks(): ShownBlock[];
  /** From the document's JSON to the first letter drawn. */
  openMs: number;
  /** Types letters at a share of the document; milliseconds of each until the page is laid out. */
  typingTimes(share: number, letters: number): Promise<number[]>;
  view: EditorView;
  editor: WordEditor;
  /** Files that a paste or drop uploaded. */
  pictures: File[];
}

/** The view of the word editor without a server: everything of WordEditor that it uses. */
const page = {
  pictures: [],
  async show({ json, media, role }: ShownDocument) {
    const startedAt = performance.now();
    const { json: model, doc } = parseWordDocument(json);
    const config = readFrameConfig({}, { key: 'shown' });
    const styles = new Styles(model);
    const editor = {
      config,
      role: { ...roleOf(config), ...role },
      document: model,
      styles,
      zoom: signal(1),
      mediaUrl: (path: string) => media[path] ?? null,
      dispatch: (transaction: Transaction) => page.view!.dispatch(transaction),
      run: (command: Command) =>
        command(page.view!.state, (transaction) => page.view!.dispatch(transaction), page.view),
      session: {
        get state() {
          return page.view!.state;
        },
        loadMedia: async () => undefined,
        uploadPicture: async (file: File) => {
          page.pictures!.push(file);
          const path = `media/new-${page.pictures!.length}.png`;
          media[path] = URL.createObjectURL(file);
          return { path, url: media[path] };
        },
      },
    } as unknown as WordEditor;
    const plugins: Plugin[] = [uploadPlaceholders(), ...viewFeature(editor), history(), keymap(baseKeymap)];
    page.view?.destroy();
    document.body.innerHTML =
      '<div class="app"><div class="workspace"><main class="desk"></main></div></div>';
    page.view = new EditorView(document.querySelector<HTMLElement>('.desk')!, {
      state: EditorState.create({ doc, plugins }),
      editable: () => editor.role.canEdit,
    });
    page.editor = editor;
    if (editor.role.canEdit) await typed(page.view, 0);
    page.openMs = performance.now() - startedAt;
    await document.fonts.ready;
  },
  async typingTimes(share: number, letters: number) {
    const times: number[] = [];
    const { view } = page as ViewPage;
    for (let letter = 0; letter < letters; letter++) times.push(await typed(view, share));
    return times;
  },
  paste(data: Record<string, string>) {
    const { view } = page as ViewPage;
    view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
    view.dom.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  },
  copyAll() {
    const { view } = page as ViewPage;
    view.dispatch(view.state.tr.setSelection(new AllSelection(view.state.doc)));
    const clipboardData = new DataTransfer();
    view.dom.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return Object.fromEntries(clipboardData.types.map((type) => [type, clipboardData.getData(type)]));
  },
  blocks() {
    return (page as ViewPage).view.state.doc.children.map((block) => {
      const attrs = Object.entries(block.attrs).filter(
        ([name, value]) => value !== null && name !== 'id' && name !== 'origin',
      );
      const runs: Record<string, string[]> = {};
      block.descendants((node) => {
        if (!node.isText || node.marks.length === 0) return;
        runs[node.text ?? ''] = node.marks.map(({ type, attrs: values }) =>
          [type.name, ...Object.values(values).filter((value) => value !== null && value !== true)].join(' '),
        );
      });
      const text = block.textBetween(0, block.content.size, '|', ({ type }) => `<${type.name}>`);
      return { type: block.type.name, attrs: Object.fromEntries(attrs), text, runs };
    });
  },
} as Partial<ViewPage>;

/** Types a letter into the text at a share of the document, and takes it back. Returns what the letter took. */
async function typed(view: EditorView, share: number): Promise<number> {
  const { doc } = view.state;
  const near = Selection.near(doc.resolve(Math.floor(doc.content.size * share)), share === 1 ? -1 : 1);
  if (!view.state.selection.eq(near)) {
    view.dispatch(view.state.tr.setSelection(near).scrollIntoView());
    await nextFrame();
  }
  const startedAt = performance.now();
  view.dispatch(view.state.tr.insertText('x'));
  // Makes the browser lay the page out, as it does before it draws.
  view.coordsAtPos(view.state.selection.head);
  document.body.getBoundingClientRect();
  const tookMs = performance.now() - startedAt;
  await nextFrame();
  view.dispatch(view.state.tr.delete(near.from, near.from + 1));
  return tookMs;
}

const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));

Object.assign(globalThis, { quire: page });
