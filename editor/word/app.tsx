import { useLayoutEffect, useRef } from 'preact/hooks';
import { later } from '../kit/later.tsx';
import { CoeditedApp, type KindParts } from '../shell/coedited/coedited-app.tsx';
import { t } from '../strings/strings.ts';
import { Dialogs } from './dialogs/dialogs.tsx';
import { WordFindBar } from './find/word-find-bar.tsx';
import { ContextMenu } from './toolbar/context-menu.tsx';
import { FormatToolbar } from './toolbar/format-toolbar.tsx';
import { compactMenu, menus } from './toolbar/menus.ts';
import { WordStatusBar } from './toolbar/status-bar.tsx';
import { PageZoomControl } from './view/page-layout/page-zoom-control.tsx';
import type { WordEditor } from './word-editor.ts';

interface Part {
  editor: WordEditor;
}

const parts: KindParts<WordEditor> = {
  Tools: FormatToolbar,
  Desk: Document,
  Panel: later(async () => (await import('./panel.tsx')).Panel),
  Foot: ({ editor, type }) => (type === 'desktop' ? <WordStatusBar editor={editor} /> : null),
  Dialogs,
  Zoom: PageZoomControl,
  menus,
  compactMenu,
  Find: WordFindBar,
  // An older version is opened without what finds.
  searched: (own) => own,
};

/** A text document on the page, with everything around it. */
export const WordApp = ({ editor }: Part) => (
  <CoeditedApp editor={editor} parts={parts}>
    <ContextMenu editor={editor} />
  </CoeditedApp>
);

function Document({ editor, hidden = false }: Part & { hidden?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    editor.mount(place.current!);
    return () => editor.close();
  }, [editor]);
  return <main class="desk" hidden={hidden} aria-label={t('page.document')} ref={place} />;
}
