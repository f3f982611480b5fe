import { useLayoutEffect, useRef } from 'preact/hooks';
import { LiveRegions } from '../kit/announce.tsx';
import { Notices } from '../kit/notices.tsx';
import { CompactBar } from '../shell/bars/compact-bar.tsx';
import { FindBar } from '../shell/bars/find-bar.tsx';
import { TitleBar } from '../shell/bars/title-bar.tsx';
import { CommentsPanel } from '../shell/comments/comments-panel.tsx';
import type { WordPage } from '../shell/document-page.ts';
import { ComparisonPanel } from '../shell/history/comparison-panel.tsx';
import { HistoryPanel } from '../shell/history/history-panel.tsx';
import { ReadingBar } from '../shell/host/reading-bar.tsx';
import { FailedScreen } from '../shell/opening/failed-screen.tsx';
import { OpeningScreen } from '../shell/opening/opening-screen.tsx';
import { QuestionScreen } from '../shell/opening/question-screen.tsx';
import { ChatPanel } from '../shell/people/chat-panel.tsx';
import { RecoveredText } from '../shell/saving/recovered-text.tsx';
import { t } from '../strings/strings.ts';
import { Dialogs } from './dialogs/dialogs.tsx';
import { OutlinePanel } from './outline/outline-panel.tsx';
import { ChangesPanel } from './review/tracking/changes-panel.tsx';
import { ParticipantsPanel } from './together/participants-panel.tsx';
import { ContextMenu } from './toolbar/context-menu.tsx';
import { FormatToolbar } from './toolbar/format-toolbar.tsx';
import { MenuBar } from './toolbar/menu-bar.tsx';
import { StatusBar } from './toolbar/status-bar.tsx';
import { ZoomControl } from './view/page-layout/zoom-control.tsx';
import type { WordEditor } from './word-editor.ts';
import '../shell/app.css';

/** The whole page. */
export function App({ page }: { page: WordPage }) {
  const screen = page.screen.value;
  return (
    <>
      {screen.kind === 'opening' && <OpeningScreen title={page.config.document.title} stage={screen.stage} />}
      {screen.kind === 'question' && (
        <QuestionScreen
          key={screen.question}
          title={page.config.document.title}
          lang={page.config.editorConfig.lang}
          question={screen.question}
          onAnswer={(answers) => page.answer(answers)}
        />
      )}
      {screen.kind === 'failed' && <FailedScreen config={page.config} failure={screen.failure} />}
      {screen.kind === 'editor' && <Editor editor={screen.editor} />}
      <Notices />
      <LiveRegions />
    </>
  );
}

function Editor({ editor }: { editor: WordEditor }) {
  const version = editor.history.shown.value ?? editor.comparison.shown.value;
  const shown = version?.editor ?? editor;
  const { type, editorConfig } = editor.config;
  const barBelow = type === 'embedded' && editorConfig.embedded.toolbarDocked === 'bottom';
  return (
    <div class={`app ${barBelow ? 'app-bar-below' : ''}`}>
      <header>
        <Bars editor={editor} isReading={version !== null} />
        {editor.dialog.value === 'find' && <FindBar editor={editor} />}
      </header>
      <div class="workspace">
        <Document key={editor.session.clientId} editor={editor} hidden={shown !== editor} />
        {version?.editor && <Document key={version.editor.session.clientId} editor={version.editor} />}
        <Panel editor={editor} />
      </div>
      {type === 'desktop' && <StatusBar key={shown.session.clientId} editor={shown} />}
      <Dialogs editor={shown} />
      <ContextMenu editor={editor} />
      <RecoveredText />
    </div>
  );
}

/**
 * What stands above the document: everything, little on a phone, or only what a reader needs. Nothing that changes the
 * document while an older version of it is shown.
 */
function Bars({ editor, isReading }: { editor: WordEditor; isReading: boolean }) {
  const { role, toolbarShown } = editor;
  const tools = role.canEdit && toolbarShown.value && !isReading && <FormatToolbar editor={editor} />;
  switch (editor.config.type) {
    case 'embedded':
      return (
        <ReadingBar open={editor}>
          <ZoomControl editor={editor} />
        </ReadingBar>
      );
    case 'mobile':
      return (
        <>
          <CompactBar editor={editor} />
          {tools}
        </>
      );
    case 'desktop':
      return (
        <>
          <TitleBar editor={editor} />
          {!isReading && <MenuBar editor={editor} />}
          {tools}
        </>
      );
  }
}

function Document({ editor, hidden = false }: { editor: WordEditor; hidden?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
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
    case 'comparison':
      return <ComparisonPanel editor={editor} />;
    case 'comments':
      return <CommentsPanel editor={editor} />;
    case 'changes':
      return <ChangesPanel editor={editor} />;
    case 'chat':
      return <ChatPanel editor={editor} />;
    default:
      return null;
  }
}
