import { useLayoutEffect, useRef } from 'preact/hooks';
import { LiveRegions } from '../kit/announce.tsx';
import { Notices } from '../kit/notices.tsx';
import { SharingDialog } from '../shell/host/sharing-dialog.tsx';
import { FailedScreen } from '../shell/opening/failed-screen.tsx';
import { OpeningScreen } from '../shell/opening/opening-screen.tsx';
import { QuestionScreen } from '../shell/opening/question-screen.tsx';
import { PeoplePanel } from '../shell/people/people-panel.tsx';
import { t } from '../strings/strings.ts';
import { FindBar } from './find-bar.tsx';
import type { Viewer } from './viewer.ts';
import { ViewerBars } from './viewer-bars.tsx';
import type { ViewerPage } from './viewer-kind.ts';
import '../shell/app.css';
import 'pdfjs-dist/web/pdf_viewer.css';
import './viewer.css';

/** The whole page. */
export function App({ page }: { page: ViewerPage }) {
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
        />
      )}
      {screen.kind === 'failed' && <FailedScreen config={page.config} failure={screen.failure} />}
      {screen.kind === 'viewer' && <Shown key={screen.viewer} viewer={screen.viewer} />}
      <Notices />
      <LiveRegions />
    </>
  );
}

function Shown({ viewer }: { viewer: Viewer }) {
  const { type, editorConfig } = viewer.config;
  const barBelow = type === 'embedded' && editorConfig.embedded.toolbarDocked === 'bottom';
  return (
    <div class={`app viewer ${barBelow ? 'app-bar-below' : ''}`}>
      <header>
        <ViewerBars viewer={viewer} />
        {viewer.isFinding.value && <FindBar viewer={viewer} />}
      </header>
      <div class="workspace">
        <Pages viewer={viewer} />
        {viewer.showsPeople.value && (
          <PeoplePanel
            open={viewer}
            onClose={() => {
              viewer.showsPeople.value = false;
            }}
          />
        )}
      </div>
      {viewer.showsAccess.value && (
        <SharingDialog
          open={viewer}
          onClose={() => {
            viewer.showsAccess.value = false;
          }}
        />
      )}
      <p class="viewer-on-paper">{t(viewer.role.canPrint ? 'viewer.printByButton' : 'viewer.noPrint')}</p>
    </div>
  );
}

function Pages({ viewer }: { viewer: Viewer }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    viewer.mount(place.current!);
    return () => viewer.unmount();
  }, [viewer]);
  const { canCopy } = viewer.role;
  return (
    <main class="desk viewer-desk" aria-label={t('word.document')}>
      <div
        class={`viewer-pages ${canCopy ? '' : 'is-kept'}`}
        ref={place}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        tabIndex={0}
        dir="ltr"
        onCopy={(event) => {
          if (!canCopy) event.preventDefault();
        }}
      >
        <div class="pdfViewer" />
      </div>
    </main>
  );
}
