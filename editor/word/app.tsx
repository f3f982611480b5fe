import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { later } from '../kit/later.tsx';
import { FindBar } from '../shell/bars/find-bar.tsx';
import { MenuBar } from '../shell/bars/menu-bar.tsx';
import { CoeditingTitleBar, CompactBar } from '../shell/bars/title-bar.tsx';
import { ReadingBar } from '../shell/host/reading-bar.tsx';
import { t } from '../strings/strings.ts';
import { Dialogs } from './dialogs/dialogs.tsx';
import { wordFinder } from './find/word-finder.ts';
import { ContextMenu } from './toolbar/context-menu.tsx';
import { FormatToolbar } from './toolbar/format-toolbar.tsx';
import { compactMenu, menus } from './toolbar/menus.ts';
import { WordStatusBar } from './toolbar/status-bar.tsx';
import { PageZoomControl } from './view/page-layout/page-zoom-control.tsx';
import type { WordEditor } from './word-editor.ts';

interface Part {
  editor: WordEditor;
}

const Panel = later(async () => (await import('./panel.tsx')).Panel);

/** A text document on the page, with everything around it. */
export function WordApp({ editor }: Part) {
  const version = editor.history.shown.value ?? editor.comparison.shown.value;
  const shown = version?.editor ?? editor;
  const { type, editorConfig } = editor.config;
  const barBelow = type === 'embedded' && editorConfig.embedded.toolbarDocked === 'bottom';
  return (
    <div class={`app ${barBelow ? 'app-bar-below' : ''}`}>
      <header>
        <Bars editor={editor} isReading={version !== null} />
        {editor.dialog.value === 'find' && <WordFindBar editor={editor} />}
      </header>
      <div class="workspace">
        <Document key={editor.session.clientId} editor={editor} hidden={shown !== editor} />
        {version?.editor && <Document key={version.editor.session.clientId} editor={version.editor} />}
        <PanelPlace editor={editor} />
      </div>
      {type === 'desktop' && <WordStatusBar key={shown.session.clientId} editor={shown} />}
      <Dialogs editor={shown} />
      <ContextMenu editor={editor} />
    </div>
  );
}

/**
 * What stands above the document: everything, little on a phone, or only what a reader needs. Nothing that changes the
 * document while an older version of it is shown.
 */
function Bars({ editor, isReading }: Part & { isReading: boolean }) {
  const { role, toolbarShown } = editor;
  const tools = role.canEdit && toolbarShown.value && !isReading && <FormatToolbar editor={editor} />;
  switch (editor.config.type) {
    case 'embedded':
      return (
        <ReadingBar open={editor}>
          <PageZoomControl editor={editor} />
        </ReadingBar>
      );
    case 'mobile':
      return (
        <>
          <CompactBar editor={editor} entries={() => compactMenu(editor)} />
          {tools}
        </>
      );
    case 'desktop':
      return (
        <>
          <CoeditingTitleBar editor={editor} />
          {!isReading && <MenuBar editor={editor} menus={menus(editor)} />}
          {tools}
        </>
      );
  }
}

function WordFindBar({ editor }: Part) {
  const finder = useMemo(() => wordFinder(editor), [editor]);
  return <FindBar editor={editor} finder={finder} />;
}

function Document({ editor, hidden = false }: Part & { hidden?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    editor.mount(place.current!);
    return () => editor.close();
  }, [editor]);
  return <main class="desk" hidden={hidden} aria-label={t('page.document')} ref={place} />;
}

function PanelPlace({ editor }: Part) {
  if (editor.panel.value === null) return null;
  const close = () => {
    editor.panel.value = null;
  };
  return <Panel editor={editor} onClose={close} />;
}
