import { useMemo } from 'preact/hooks';
import { FindBar } from '../shell/bars/find-bar.tsx';
import { MenuBar } from '../shell/bars/menu-bar.tsx';
import { CoeditingTitleBar, CompactBar } from '../shell/bars/title-bar.tsx';
import { CommentsPanel } from '../shell/comments/comments-panel.tsx';
import { ReadingBar } from '../shell/host/reading-bar.tsx';
import { ChatPanel } from '../shell/people/chat-panel.tsx';
import { PeoplePanel } from '../shell/people/people-panel.tsx';
import type { CellEditor } from './cell-editor.ts';
import { cellComments } from './comments/cell-comments.ts';
import { Desk } from './desk/desk.tsx';
import { Dialogs } from './dialogs/dialogs.tsx';
import { cellFinder } from './find/cell-finder.ts';
import { FormatToolbar } from './toolbar/format-toolbar.tsx';
import { FormulaBar } from './toolbar/formula-bar.tsx';
import { compactMenu, menus } from './toolbar/menus.ts';
import { SheetTabs } from './toolbar/sheet-tabs.tsx';
import { ZoomControl } from './toolbar/zoom-control.tsx';

interface Part {
  editor: CellEditor;
}

/** A workbook on the page, with everything around it. */
export function CellApp({ editor }: Part) {
  const { type, editorConfig } = editor.config;
  const barBelow = type === 'embedded' && editorConfig.embedded.toolbarDocked === 'bottom';
  return (
    <div class={`app ${barBelow ? 'app-bar-below' : ''}`}>
      <header>
        <Bars editor={editor} />
        {editor.dialog.value === 'find' && <CellFindBar editor={editor} />}
        {type !== 'embedded' && <FormulaBar editor={editor} />}
      </header>
      <div class="workspace">
        <Desk key={editor.session.clientId} editor={editor} />
        <Panel editor={editor} />
      </div>
      <footer>
        <SheetTabs editor={editor}>{type === 'desktop' && <ZoomControl editor={editor} />}</SheetTabs>
      </footer>
      <Dialogs editor={editor} />
    </div>
  );
}

/** What stands above the cells: everything, little on a phone, or only what a reader needs. */
function Bars({ editor }: Part) {
  const tools = editor.canEdit && editor.toolbarShown.value && <FormatToolbar editor={editor} />;
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
          <MenuBar editor={editor} menus={menus(editor)} />
          {tools}
        </>
      );
  }
}

function CellFindBar({ editor }: Part) {
  const finder = useMemo(() => cellFinder(editor), [editor]);
  return <FindBar editor={editor} finder={finder} />;
}

function Panel({ editor }: Part) {
  const comments = useMemo(() => cellComments(editor), [editor]);
  switch (editor.panel.value) {
    case 'participants': {
      const following = {
        followed: editor.presence.followed,
        scrollTo({ id }: { id: string }) {
          const other = editor.others.peek().get(id);
          if (!other) return;
          editor.showSheet(other.sheet);
          editor.grid?.reveal({ row: other.range.top, column: other.range.left });
        },
      };
      return <PeoplePanel editor={editor} following={following} />;
    }
    case 'comments':
      return <CommentsPanel editor={editor} comments={comments} />;
    case 'chat':
      return <ChatPanel editor={editor} />;
    default:
      return null;
  }
}
