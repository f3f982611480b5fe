import { useState } from 'preact/hooks';
import type { Person } from '../../../services/admin/api.ts';
import { Button } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { fullTime, since } from '../figures.ts';
import { personName, roleName } from '../names.ts';
import { mayAct } from '../session.ts';
import { ConfirmDialog, ReasonField } from '../shell/confirm-dialog.tsx';

export interface PeopleListProps {
  people: readonly Person[];
  onDisconnect: (connectionId: string, reason: string) => void;
}

/** Who is in a document; each connection is a line of its own. */
export function PeopleList({ people, onDisconnect }: PeopleListProps) {
  const [leaving, setLeaving] = useState<Person | null>(null);
  if (people.length === 0) return <p>{t('admin.nobody')}</p>;
  return (
    <>
      <ul class="plain-list people">
        {people.map((person) => (
          <li key={person.connectionId}>
            <div>
              <strong>{personName(person)}</strong>
              <span class="quiet small" title={`${fullTime(person.sinceMs)} · ${person.connectionId}`}>
                {roleName(person.role)} · {t('admin.since', { time: since(person.sinceMs) })} ·{' '}
                {t('admin.onNode', { node: person.nodeId })}
              </span>
            </div>
            {mayAct() && (
              <Button
                aria-label={t('admin.disconnectName', { name: personName(person) })}
                onClick={() => setLeaving(person)}
              >
                {t('admin.disconnect')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {leaving && (
        <ConfirmDialog
          title={t('admin.disconnectTitle', { name: personName(leaving) })}
          text={t('admin.disconnectText', { name: personName(leaving) })}
          label={t('admin.disconnect')}
          onClose={() => setLeaving(null)}
          onConfirm={(fields) => onDisconnect(leaving.connectionId, String(fields.get('reason')))}
        >
          <ReasonField />
        </ConfirmDialog>
      )}
    </>
  );
}
