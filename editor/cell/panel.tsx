import { useMemo } from 'preact/hooks';
import { CommentsPanel } from '../shell/comments/comments-panel.tsx';
import { ComparisonPanel, HistoryPanel } from '../shell/history/history-panel.tsx';
import { ChatPanel } from '../shell/people/chat-panel.tsx';
import { PeoplePanel } from '../shell/people/people-panel.tsx';
import type { CellEditor } from './cell-editor.ts';
import { LaterChartPanel } from './charts/later-chart-panel.tsx';
import { CellComments } from './comments/cell-comments.ts';
import { DifferenceList } from './history/difference-list.tsx';

interface PanelProps {
  readonly editor: CellEditor;
  readonly onClose: () => void;
}

/** The panel that is open beside the cells. */
export function Panel({ editor }: PanelProps) {
  const comments = useMemo(() => new CellComments(editor), [editor]);
  switch (editor.panel.value) {
    case 'participants': {
      const following = {
        followed: editor.presence.followed,
        scrollTo({ id }: { id: string }) {
          const other = editor.others.peek().get(id);
          if (!other) return;
          editor.sheets.show(other.sheet);
          editor.grid?.reveal({ row: other.range[0], column: other.range[1] });
        },
      };
      return <PeoplePanel editor={editor} following={following} />;
    }
    case 'history':
      return (
        <HistoryPanel editor={editor} history={editor.history}>
          <Differences of={editor.history.shown.value} />
        </HistoryPanel>
      );
    case 'comparison':
      return (
        <ComparisonPanel comparison={editor.comparison}>
          <Differences of={editor.comparison.shown.value} />
        </ComparisonPanel>
      );
    case 'comments':
      return <CommentsPanel editor={editor} comments={comments} />;
    case 'chat':
      return <ChatPanel editor={editor} />;
    case 'chart':
      return <LaterChartPanel editor={editor} />;
    default:
      return null;
  }
}

function Differences({ of }: { of: { readonly editor: CellEditor | null } | null }) {
  return of?.editor ? <DifferenceList editor={of.editor} /> : null;
}
