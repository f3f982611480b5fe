import type { DocumentSummary, Person } from '../../../example/api.ts';
import { t } from '../../strings/strings.ts';
import { AccountMenu } from '../shell/account-menu.tsx';
import { roleText } from '../shell/roles.ts';
import { EditorFrame } from './editor-frame.tsx';

export interface EditorPaneProps {
  document: DocumentSummary;
  person: Person;
  version: number | null;
  /** Whether the pane says whose it is: it is one of two. */
  hasStrip: boolean;
  onPerson: (id: string) => void;
}

/** An editor, with the account it is opened as above it where there are two. */
export function EditorPane({ document, person, version, hasStrip, onPerson }: EditorPaneProps) {
  const { id, title } = document;
  const { name, role } = person;
  return (
    <section class="pane" aria-label={t('example.editorOf', { title, name })}>
      {hasStrip && (
        <div class="pane-strip" style={{ borderColor: person.colour }}>
          <AccountMenu
            person={person}
            label={t('example.paneAccount', { name, role: roleText(role) })}
            onChoose={onPerson}
          />
        </div>
      )}
      <EditorFrame
        documentId={id}
        person={person}
        version={version}
        isBeside={hasStrip}
        label={t('example.editorOf', { title, name })}
      />
    </section>
  );
}
