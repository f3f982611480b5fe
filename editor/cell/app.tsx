import { later } from '../kit/later.tsx';
import { ZoomControl } from '../shell/bars/zoom-control.tsx';
import { CoeditedApp, type KindParts } from '../shell/coedited/coedited-app.tsx';
import type { CellEditor } from './cell-editor.ts';
import { Desk } from './desk/desk.tsx';
import { Dialogs } from './dialogs/dialogs.tsx';
import { FormatToolbar } from './toolbar/format-toolbar.tsx';
import { FormulaBar } from './toolbar/formula-bar.tsx';
import { compactMenu, menus } from './toolbar/menus.ts';
import { SheetTabs } from './toolbar/sheet-tabs.tsx';

interface Part {
  editor: CellEditor;
}

const parts: KindParts<CellEditor> = {
  Tools: FormatToolbar,
  Head: ({ editor, type }) => (type === 'embedded' ? null : <FormulaBar editor={editor} />),
  Desk,
  Panel: later(async () => (await import('./panel.tsx')).Panel),
  Foot: ({ editor, type }) => (
    <footer>
      <SheetTabs editor={editor}>{type === 'desktop' && <ZoomControl editor={editor} />}</SheetTabs>
    </footer>
  ),
  Dialogs,
  Zoom: ZoomControl,
  menus,
  compactMenu,
  Find: later(async () => (await import('./find/cell-find-bar.tsx')).CellFindBar),
  searched: (_own, shown) => shown,
};

/** A workbook on the page, with everything around it. */
export const CellApp = ({ editor }: Part) => <CoeditedApp editor={editor} parts={parts} />;
