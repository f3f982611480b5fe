import { useEffect, useRef } from 'preact/hooks';
import { LiveRegions } from '../kit/announce.tsx';
import { Notices } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';
import { Dialogs } from './dialogs/dialogs.tsx';
import { FindBar } from './find/find-bar.tsx';
import { HistoryPanel } from './history/history-panel.tsx';
import { OutlinePanel } from './outline/outline-panel.tsx';
import { RecoveredText } from './saving/recovered-text.tsx';
import { FailedScreen, OpeningScreen } from './screens.tsx';
import { ChatPanel } from './together/chat-panel.tsx';
import { ParticipantsPanel } from './together/participants-panel.tsx';
import { FormatToolbar } from './toolbar/format-toolbar.tsx';
import { MenuBar } from './toolbar/menu-bar.tsx';
import { StatusBar } from './toolbar/status-bar.tsx';
import { TitleBar } from './toolbar/title-bar.tsx';
import type { WordEditor } from './word-editor.ts';
import type { WordPage } from './word-page.ts';
import './app.css';

/** The whole page. */
export function App({ page }: { page: WordPage }) {
  const screen = page.screen.value;
  return (
    <>
      {screen.kind === 'opening' && <OpeningScreen title={page.config.document.title} />}
      {screen.kind === 'failed' && <FailedScreen page={page} code={screen.code} />}
      {screen.kind === 'editor' && <Editor editor={screen.editor} />}
      <Notices />
      <LiveRegions />
    </>
  );
}

function Editor({ editor }: { editor: WordEditor }) {
  const version = editor.history.shown.value;
  return (
    <div class="app">
      <header>
        <TitleBar editor={editor} />
        <MenuBar editor={editor} />
        {editor.role.canEdit && <FormatToolbar editor={editor} />}
        {editor.dialog.value === 'find' && <FindBar editor={editor} />}
      </header>
      <div class="workspace">
        <Document key={editor.session.clientId} editor={editor} hidden={version !== null} />
        {version?.editor && <Document key={version.editor.session.clientId} editor={version.editor} />}
        <Panel editor={editor} />
      </div>
      <StatusBar editor={editor} />
      <Dialogs editor={editor} />
      <RecoveredText />
    </div>
  );
}

function Document({ editor, hidden = false }: { editor: WordEditor; hidden?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    editor.mount(place.current!);
    return () => editor.destroy();
  }, [editor]);
  return <main class="desk" hidden={hidden} aria-label={t('word.document')} ref={place} />;
}

function Panel({ editor }: { editor: WordEditor }) {
  switch (editor.panel.value) {
    case 'participants':
      return <ParticipantsPanel editor={editor} />;
    case 'outline':
      return <OutlinePanel editor={editor} />;
    case 'history':
      return <HistoryPanel editor={editor} />;
    case 'chat':
      return <ChatPanel editor={editor} />;
    default:
      return null;
  }
}
