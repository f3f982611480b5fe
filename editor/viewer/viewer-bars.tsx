import {
  ChevronDown,
  ChevronUp,
  Download,
  Menu as MenuIcon,
  Minus,
  MoveHorizontal,
  Plus,
  Printer,
  Search,
} from 'lucide-preact';
import { useState } from 'preact/hooks';
import { announce } from '../kit/announce.tsx';
import { IconButton } from '../kit/button.tsx';
import { MenuButton, type MenuEntry } from '../kit/menu.tsx';
import { Toolbar, ToolbarGap } from '../kit/toolbar.tsx';
import { sharingEntries, themeEntries } from '../shell/bars/page-entries.ts';
import { TitleBar } from '../shell/bars/title-bar.tsx';
import { download, saveCopy } from '../shell/download.ts';
import { ReadingBar } from '../shell/host/reading-bar.tsx';
import { currentLanguage, t } from '../strings/strings.ts';
import type { PageView } from './pdf/page-view.ts';
import type { Viewer } from './viewer.ts';

interface Props {
  viewer: Viewer;
}

/** What stands above the pages: which document, who looks, and how it is looked at. */
export function ViewerBars({ viewer }: Props) {
  const pages = viewer.pages.value;
  if (viewer.config.type === 'embedded') {
    return (
      <ReadingBar open={viewer}>
        {pages && <PageNumber pages={pages} />}
        {pages && <ZoomButtons pages={pages} />}
        <FindButton viewer={viewer} />
      </ReadingBar>
    );
  }
  return (
    <>
      <TitleBar editor={viewer}>
        <MenuButton label={t('toolbar.menus')} entries={() => menuEntries(viewer)}>
          <MenuIcon size={20} aria-hidden="true" />
        </MenuButton>
      </TitleBar>
      <Toolbar label={t('toolbar.view')} class="viewer-toolbar">
        {pages && <PageNumber pages={pages} />}
        <ToolbarGap />
        {pages && <ZoomButtons pages={pages} />}
        <ToolbarGap />
        <FindButton viewer={viewer} />
        {viewer.role.canPrint && (
          <IconButton label={t('toolbar.print')} shortcut="Ctrl+P" onClick={() => viewer.print()}>
            <Printer size={18} />
          </IconButton>
        )}
        {viewer.role.canDownload && (
          <IconButton label={t('toolbar.download')} onClick={() => void download(viewer)}>
            <Download size={18} />
          </IconButton>
        )}
      </Toolbar>
    </>
  );
}

function FindButton({ viewer }: Props) {
  const isFinding = viewer.dialog.value === 'find';
  const toggle = () => {
    if (isFinding) viewer.dialog.value = null;
    else viewer.find();
  };
  return (
    <IconButton label={t('find.find')} shortcut="Ctrl+F" aria-pressed={isFinding} onClick={toggle}>
      <Search size={18} />
    </IconButton>
  );
}

/** Which page is in view; another one is gone to by its number. */
function PageNumber({ pages }: { pages: PageView }) {
  const page = pages.page.value;
  /** Null: the page in view is shown. What is typed stays while pages go by. */
  const [typed, setTyped] = useState<string | null>(null);
  const go = (to: number) => {
    pages.goTo(to);
    announce(t('viewer.pageOf', { page: pages.page.peek(), count: pages.pageCount }));
  };
  // What stands in the field: `typed` may be what was there before it was drawn again.
  const take = ({ value }: HTMLInputElement) => {
    if (/^\d+$/.test(value.trim())) go(Number(value));
    setTyped(null);
  };
  return (
    <div class="viewer-page" role="group" aria-label={t('viewer.page')}>
      <IconButton label={t('viewer.previousPage')} disabled={page <= 1} onClick={() => go(page - 1)}>
        <ChevronUp size={18} />
      </IconButton>
      <IconButton
        label={t('viewer.nextPage')}
        disabled={page >= pages.pageCount}
        onClick={() => go(page + 1)}
      >
        <ChevronDown size={18} />
      </IconButton>
      <input
        inputMode="numeric"
        aria-label={t('viewer.page')}
        value={typed ?? String(page)}
        size={Math.max(3, String(pages.pageCount).length)}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={(event) => typed !== null && take(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take(event.currentTarget);
        }}
      />
      <span class="viewer-count">{t('viewer.ofCount', { count: pages.pageCount })}</span>
    </div>
  );
}

function ZoomButtons({ pages }: { pages: PageView }) {
  const percent = new Intl.NumberFormat(currentLanguage(), { style: 'percent' });
  return (
    <div class="viewer-zoom" role="group" aria-label={t('view.zoom')}>
      <IconButton label={t('view.zoomOut')} shortcut="Ctrl+−" onClick={() => pages.zoomBy(-1)}>
        <Minus size={18} />
      </IconButton>
      <output class="viewer-percent" aria-label={t('view.zoom')}>
        {percent.format(pages.scale.value)}
      </output>
      <IconButton label={t('view.zoomIn')} shortcut="Ctrl++" onClick={() => pages.zoomBy(1)}>
        <Plus size={18} />
      </IconButton>
      <IconButton label={t('view.fitWidth')} onClick={() => pages.zoom('page-width')}>
        <MoveHorizontal size={18} />
      </IconButton>
    </div>
  );
}

/** What is seldom wanted. What the embedding page does is offered only if it said that it can. */
function menuEntries(viewer: Viewer): MenuEntry[] {
  const { role, config } = viewer;
  const { canRequestSaveAs } = config.editorConfig;
  const pages = viewer.pages.peek();
  const entries: (MenuEntry | false)[] = [
    role.canDownload && { label: t('toolbar.download'), run: () => void download(viewer) },
    role.canDownload &&
      canRequestSaveAs && { label: t('toolbar.saveCopy'), run: () => void saveCopy(viewer) },
    role.canPrint && { label: t('toolbar.print'), run: () => viewer.print() },
    ...sharingEntries(viewer),
    pages !== null && { label: t('viewer.fitPage'), run: () => pages.zoom('page-fit') },
    pages !== null && { label: t('viewer.actualSize'), run: () => pages.zoom(1) },
    'separator',
    ...themeEntries(),
  ];
  return entries.filter((entry) => entry !== false);
}
