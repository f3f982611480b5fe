import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { FindBar } from '../shell/bars/find-bar.tsx';
import { PageDialogs } from '../shell/dialogs/page-dialogs.tsx';
import { PeoplePanel } from '../shell/people/people-panel.tsx';
import { t } from '../strings/strings.ts';
import { type PageView, pageFinder } from './pdf/page-view.ts';
import type { Viewer } from './viewer.ts';
import { ViewerBars } from './viewer-bars.tsx';
import 'pdfjs-dist/web/pdf_viewer.css';
import './viewer.css';

/** A document that is looked at, with everything around it. */
export function ViewerApp({ viewer }: { viewer: Viewer }) {
  const { type, editorConfig } = viewer.config;
  const barBelow = type === 'embedded' && editorConfig.embedded.toolbarDocked === 'bottom';
  const pages = viewer.pages.value;
  return (
    <div class={`app viewer ${barBelow ? 'app-bar-below' : ''}`}>
      <header>
        <ViewerBars viewer={viewer} />
        {viewer.dialog.value === 'find' && pages && <PageFindBar viewer={viewer} pages={pages} />}
      </header>
      <div class="workspace">
        <Pages viewer={viewer} />
        {viewer.panel.value === 'participants' && <PeoplePanel editor={viewer} />}
      </div>
      <PageDialogs editor={viewer} shortcuts={noShortcuts} />
      <p class="viewer-on-paper">{t(viewer.role.canPrint ? 'viewer.printByButton' : 'viewer.noPrint')}</p>
    </div>
  );
}

const noShortcuts = async () => [];

function PageFindBar({ viewer, pages }: { viewer: Viewer; pages: PageView }) {
  const finder = useMemo(() => pageFinder(pages), [pages]);
  return <FindBar editor={viewer} finder={finder} asked={viewer.findAsked.value} />;
}

function Pages({ viewer }: { viewer: Viewer }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    viewer.mount(place.current!);
    return () => viewer.unmount();
  }, [viewer]);
  const { canCopy } = viewer.role;
  return (
    <main class="desk viewer-desk" aria-label={t('page.document')}>
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
