import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import { startFrame } from '../frame/start.ts';
import { LiveRegions } from '../kit/announce.tsx';
import { leaveKeysToInputMethods } from '../kit/composed-keys.ts';
import { later, laterPart, loadParts } from '../kit/later.tsx';
import { Notices } from '../kit/notices.tsx';
import type { DocumentEditor } from './document-editor.ts';
import { DocumentPage } from './document-page.ts';
import { askGuestName } from './host/guest-name.tsx';
import { FailedScreen } from './opening/failed-screen.tsx';
import type { EditorKind } from './opening/opening.ts';
import { OpeningScreen } from './opening/opening-screen.tsx';
import type { QuestionScreenProps } from './opening/question-screen.tsx';
import { RecoveredText } from './saving/recovered-text.tsx';
import './app.css';
import './screens.css';

/** Most files ask nothing. */
const QuestionScreen = later<QuestionScreenProps & { onClose: () => void }>(
  async () => (await import('./opening/question-screen.tsx')).QuestionScreen,
);

/** They are drawn once the document is there; `loadParts` tries again what failed. */
const metafiles = laterPart(async () => (await import('./pictures/metafiles.ts')).drawMetafiles());

/** How the editor of a kind is drawn. */
type Draw<E> = (editor: E) => ComponentChildren;

interface PageAppProps<E extends DocumentEditor> {
  page: DocumentPage<E>;
  draw: Draw<E>;
}

/** The whole page: the screens until there is a document, then its editor, and notices over both. */
function PageApp<E extends DocumentEditor>({ page, draw }: PageAppProps<E>) {
  const screen = page.screen.value;
  const { document, editorConfig } = page.config;
  return (
    <>
      {screen.kind === 'opening' && <OpeningScreen title={document.title} stage={screen.stage} />}
      {screen.kind === 'question' && (
        <QuestionScreen
          key={screen.question}
          title={document.title}
          lang={editorConfig.lang}
          question={screen.question}
          onAnswer={(answers) => page.answer(answers)}
          onClose={() => page.failToAsk()}
        />
      )}
      {screen.kind === 'failed' && <FailedScreen config={page.config} failure={screen.failure} />}
      {screen.kind === 'editor' && draw(screen.editor)}
      <RecoveredText />
      <Notices />
      <LiveRegions />
    </>
  );
}

/** Starts the page of a kind: what its `main.tsx` does. Says in the page what stands in the way. */
export async function startPage<E extends DocumentEditor>(kind: EditorKind<E>, draw: Draw<E>): Promise<void> {
  leaveKeysToInputMethods();
  const place = document.getElementById('app')!;
  try {
    const host = await startFrame();
    const config = await host.ready;
    const page = new DocumentPage(host, await askGuestName(config, kind.roleOf(config), place), kind);
    render(<PageApp page={page} draw={draw} />, place);
    await page.open();
    void metafiles
      .load()
      .catch(() => undefined)
      .then(loadParts);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    render(
      <main class="screen">
        <p role="alert">{message}</p>
        <LiveRegions />
      </main>,
      place,
    );
  }
}
