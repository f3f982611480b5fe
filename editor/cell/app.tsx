import { useMemo } from 'preact/hooks';
import { later } from '../kit/later.tsx';
import { FindBar } from '../shell/bars/find-bar.tsx';
import { MenuBar } from '../shell/bars/menu-bar.tsx';
import { CoeditingTitleBar, CompactBar } from '../shell/bars/title-bar.tsx';
import { ZoomControl } from '../shell/bars/zoom-control.tsx';
import { ReadingBar } from '../shell/host/reading-bar.tsx';
import type { CellEditor } from './cell-editor.ts';
import { Desk } from './desk/desk.tsx';
import { Dialogs } from './dialogs/dialogs.tsx';
import { cellFinder } from './find/cell-finder.ts';
import { FormatToolbar } from './toolbar/format-toolbar.tsx';
import { FormulaBar } from './toolbar/formula-bar.tsx';
import { compactMenu, menus } from './toolbar/menus.ts';
import { SheetTabs } from './toolbar/sheet-tabs.tsx';

interface Part {
  editor: CellEditor;
}

const Panel = later(async () => (await import('./panel.tsx')).Panel);

/** A workbook on the page, with everything around it. */
export function CellApp({ editor }: Part) {
  const version = editor.history.shown.value ?? editor.comparison.shown.value;
  const shown = version?.editor ?? editor;
  const { type, editorConfig } = editor.config;
  const barBelow = type === 'embedded' && editorConfig.embedded.toolbarDocked === 'bottom';
  return (
    <div class={`app ${barBelow ? 'app-bar-below' : ''}`}>
      <header>
        <Bars editor={editor} isReading={version !== null} />
        {editor.dialog.value === 'find' && <CellFindBar key={shown.session.clientId} editor={shown} />}
        {type !== 'embedded' && <FormulaBar key={shown.session.clientId} editor={shown} />}
      </header>
      <div class="workspace">
        <Desk key={editor.session.clientId} editor={editor} hidden={shown !== editor} />
        {version?.editor && <Desk key={version.editor.session.clientId} editor={version.editor} />}
        <PanelPlace editor={editor} />
      </div>
      <footer>
        <SheetTabs key={shown.session.clientId} editor={shown}>
          {type === 'desktop' && <ZoomControl editor={shown} />}
        </SheetTabs>
      </footer>
      <Dialogs editor={shown} />
    </div>
  );
}

/**
 * What stands above the cells: everything, little on a phone, or only what a reader needs. Nothing that changes the
 * workbook while an older version of it is shown.
 */
function Bars({ editor, isReading }: Part & { isReading: boolean }) {
  const tools = editor.canEdit && editor.toolbarShown.value && !isReading && (
    <FormatToolbar editor={editor} />
  );
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

function CellFindBar({ editor }: Part) {
  const finder = useMemo(() => cellFinder(editor), [editor]);
  return <FindBar editor={editor} finder={finder} />;
}

function PanelPlace({ editor }: Part) {
  if (editor.panel.value === null) return null;
  const close = () => {
    editor.panel.value = null;
  };
  return <Panel editor={editor} onClose={close} />;
}
