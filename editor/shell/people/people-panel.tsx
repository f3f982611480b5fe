import { Eye } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import type { OpenDocument } from '../document-editor.ts';
import { Avatar } from './avatars.tsx';
import type { Person } from './people.ts';
import './people-panel.css';

interface Props {
  open: OpenDocument;
  onClose: () => void;
  /** What stands behind the name of somebody else. */
  beside?: (person: Person) => ComponentChildren;
}

/** Everybody in the document. */
export function PeoplePanel({ open, onClose, beside }: Props) {
  return (
    <SidePanel title={t('toolbar.participants')} onClose={onClose}>
      <ul class="people">
        {open.people.value.map((person) => (
          <li key={person.id}>
            <Avatar person={person} open={open} />
            <span class="people-name">
              {person.isMe ? t('together.you', { name: person.name }) : person.name}
            </span>
            {person.viewsOnly && <Eye size={16} role="img" aria-label={t('together.viewsOnly')} />}
            {!person.isMe && beside?.(person)}
          </li>
        ))}
      </ul>
    </SidePanel>
  );
}
