import { useMemo } from 'preact/hooks';
import { CommentsPanel } from '../shell/comments/comments-panel.tsx';
import { ComparisonPanel, HistoryPanel } from '../shell/history/history-panel.tsx';
import { ChatPanel } from '../shell/people/chat-panel.tsx';
import { PeoplePanel } from '../shell/people/people-panel.tsx';
import { OutlinePanel } from './outline/outline-panel.tsx';
import { wordComments } from './review/comments/word-comments.ts';
import { ChangesPanel } from './review/tracking/changes-panel.tsx';
import { cursorOf, scrollTo } from './together/remote-cursors.ts';
import type { WordEditor } from './word-editor.ts';

interface PanelProps {
  readonly editor: WordEditor;
  readonly onClose: () => void;
}

/** The panel that is open beside the document. */
export function Panel({ editor }: PanelProps) {
  const { followed } = editor.presence;
  const comments = useMemo(() => wordComments(editor), [editor]);
  switch (editor.panel.value) {
    case 'participants': {
      const following = {
        followed,
        scrollTo({ id }: { id: string }) {
          const position = cursorOf(editor.session.state, id);
          if (position !== null) scrollTo(editor, position);
        },
      };
      return <PeoplePanel editor={editor} following={following} />;
    }
    case 'outline':
      return <OutlinePanel editor={editor} />;
    case 'history':
      return <HistoryPanel editor={editor} history={editor.history} />;
    case 'comparison':
      return <ComparisonPanel comparison={editor.comparison} />;
    case 'comments':
      return <CommentsPanel editor={editor} comments={comments} />;
    case 'changes':
      return <ChangesPanel editor={editor} />;
    case 'chat':
      return <ChatPanel editor={editor} />;
    default:
      return null;
  }
}
