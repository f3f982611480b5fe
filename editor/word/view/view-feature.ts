import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { keymap } from 'prosemirror-keymap';
import { DOMSerializer } from 'prosemirror-model';
import { AllSelection, Plugin } from 'prosemirror-state';
import { columnResizing, tableEditing } from 'prosemirror-tables';
import {
  Decoration,
  DecorationSet,
  type MarkViewConstructor,
  type NodeViewConstructor,
} from 'prosemirror-view';
import { spellcheckOf } from '../../frame/customization.ts';
import { t } from '../../strings/strings.ts';
import { types } from '../protection/document-protection.ts';
import { openLinks } from './nodes/links.ts';
import { besideOpaque, passHiddenKeys } from './nodes/opaque-keys.ts';
import { type Media, MediaLoader, PictureView, resizeSelectedPicture } from './nodes/picture-view.ts';
import { WordRenderer } from './nodes/renderer.ts';
import { columnDrag, columnWidthPixels, WordTableView } from './nodes/table-view.ts';
import { listLabels } from './numbering/list-labels.ts';
import { ListDefinitions } from './numbering/list-numbering.ts';
import { sectionEnds } from './page-layout/geometry.ts';
import { noteNumbering, noteReference } from './page-layout/notes.ts';
import { PageLayout } from './page-layout/page-layout.ts';
import { clipboard } from './paste/clipboard.ts';
import type { ViewedDocument } from './viewed-document.ts';

/** How the document is seen: the paper, its styles, and what stands in the text. */
export const viewFeature = (editor: ViewedDocument): Plugin[] => {
  const { document: json, styles } = editor;
  const renderer = new WordRenderer({ document: json, styles, mediaUrl: (path) => editor.mediaUrl(path) });
  const lists = new ListDefinitions(json.lists);
  return [
    pagePlugin(editor, renderer, lists),
    listLabels(styles, lists),
    noteNumbering(),
    sectionEnds(json.sections),
    openLinks(),
    passHiddenKeys(),
    besideOpaque(),
    clipboard(editor),
    ...(editor.role.canEdit ? editing() : []),
  ];
};

function editing(): Plugin[] {
  return [
    keymap({
      'Alt-Shift-ArrowRight': resizeSelectedPicture(1),
      'Alt-Shift-ArrowUp': resizeSelectedPicture(1),
      'Alt-Shift-ArrowLeft': resizeSelectedPicture(-1),
      'Alt-Shift-ArrowDown': resizeSelectedPicture(-1),
    }),
    placeholder(),
    columnDrag(),
    columnResizing({ View: null, defaultCellMinWidth: columnWidthPixels }),
    tableEditing(),
    dropCursor({ color: 'var(--color-accent)', width: 2 }),
    gapCursor(),
  ];
}

function pagePlugin(editor: ViewedDocument, renderer: WordRenderer, lists: ListDefinitions): Plugin {
  let page: PageLayout | null = null;
  const media = new MediaLoader(
    (path) => editor.mediaUrl(path),
    (paths) => editor.session.loadMedia(paths),
  );
  const { on: spellcheck } = spellcheckOf(editor.config.editorConfig.customization);
  return new Plugin({
    view: (view) => {
      page = new PageLayout(view, editor, { renderer, styles: editor.styles, lists });
      return page;
    },
    props: {
      attributes: () => ({
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': t('page.document'),
        'aria-readonly': String(!types(editor.role)),
        lang: editor.config.editorConfig.lang,
        spellcheck: String(spellcheck && types(editor.role)),
        tabindex: '0',
      }),
      nodeViews: nodeViews(renderer, media),
      markViews: markViews(renderer),
      // Of everything there is no place to scroll to; looking for it would lay out all of a long document.
      handleScrollToSelection: ({ state }) => state.selection instanceof AllSelection,
      handleClickOn: (_view, _pos, node) => {
        const reference = noteReference(node);
        if (reference) page?.notes.open(reference);
        return reference !== null;
      },
    },
  });
}

function nodeViews(renderer: WordRenderer, media: Media): Record<string, NodeViewConstructor> {
  const drawn = Object.entries(renderer.nodes).map(([name, draw]): [string, NodeViewConstructor] => [
    name,
    (node) => DOMSerializer.renderSpec(document, draw(node)) as ReturnType<NodeViewConstructor>,
  ]);
  return {
    ...Object.fromEntries(drawn),
    table: (node) => new WordTableView(node),
    image: (node, view, getPos) => new PictureView(node, view, getPos, media),
  };
}

function markViews(renderer: WordRenderer): Record<string, MarkViewConstructor> {
  return Object.fromEntries(
    Object.entries(renderer.marks).map(([name, draw]): [string, MarkViewConstructor] => [
      name,
      (mark) => DOMSerializer.renderSpec(document, draw(mark)) as ReturnType<MarkViewConstructor>,
    ]),
  );
}

/** Says in an empty document that one can type. */
function placeholder(): Plugin {
  return new Plugin({
    props: {
      decorations: ({ doc }) => {
        const only = doc.childCount === 1 ? doc.firstChild : null;
        if (only?.type.name !== 'paragraph' || only.content.size > 0) return null;
        const attrs = { class: 'placeholder', 'data-placeholder': t('view.placeholder') };
        return DecorationSet.create(doc, [Decoration.node(0, only.nodeSize, attrs)]);
      },
    },
  });
}
