import { useEffect, useRef, useState } from 'preact/hooks';
import type { DisconnectAnswer, DocumentAnswer, Person } from '../../../services/admin/api.ts';
import { Button } from '../../kit/button.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import { ago, count, fullTime, since, size } from '../formats.ts';
import { modelName, personName, roleName } from '../names.ts';
import { usePolled } from '../polled.ts';
import { SaveList } from '../saves/save-list.tsx';
import { ask } from '../server.ts';
import { act, mayAct } from '../session.ts';
import { ConfirmDialog, ReasonField } from '../shell/confirm-dialog.tsx';
import { Missing, Silent } from '../shell/section-parts.tsx';
import { StateBadge } from './document-table.tsx';

interface DocumentDetailsProps {
  documentKey: string;
  onClose: () => void;
  /** Called after an action that changes the list. */
  onChange: () => void;
}

/** Asks the server to do something with the document, and shows the text that `done` makes of its answer. */
type Run = <Answer>(path: string, body: object, done: (answer: Answer) => string) => Promise<void>;

/** All about one document, and what can be done about it. */
export function DocumentDetails({ documentKey, onClose, onChange }: DocumentDetailsProps) {
  const address = `documents/${encodeURIComponent(documentKey)}`;
  const { value, refresh } = usePolled<DocumentAnswer>(address);
  const [isClosing, setClosing] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const run: Run = async <Answer,>(path: string, body: object, done: (answer: Answer) => string) => {
    await act(() => ask<Answer>('POST', `${address}/${path}`, body), done);
    refresh();
    onChange();
  };
  return (
    <SidePanel title={value?.document.title ?? documentKey} onClose={onClose}>
      <div
        ref={place}
        class="details"
        tabIndex={-1}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      >
        {!value && <p class="quiet">{t('common.loading')}</p>}
        {value && (
          <>
            <Missing from={value.missing} />
            <Silent nodes={value.silent} />
            {mayAct() && <Actions {...value} run={run} onClose={() => setClosing(true)} />}
            <Facts document={value.document} />
            <h3>{t('admin.whoIsIn')}</h3>
            <ParticipantList
              people={value.people}
              onDisconnect={(connectionId, reason) =>
                void run<DisconnectAnswer>('disconnect', { connectionId, reason }, ({ disconnected }) =>
                  t('admin.disconnected', { count: disconnected }),
                )
              }
            />
            <h3>{t('admin.locks')}</h3>
            <p>
              {value.locks.length === 0
                ? t('admin.noLocks')
                : t('admin.locksCount', { count: value.locks.length })}
            </p>
            <SaveLockQueue {...value} />
            <h3>{t('admin.itsSaves')}</h3>
            <SaveList saves={value.saves} onChange={refresh} />
          </>
        )}
        {isClosing && value && (
          <CloseDialog
            {...value}
            onClose={() => setClosing(false)}
            onConfirm={(reason) => void run('close', { reason }, () => t('admin.closed'))}
          />
        )}
      </div>
    </SidePanel>
  );
}

interface CloseDialogProps extends Pick<DocumentAnswer, 'document' | 'people'> {
  onClose: () => void;
  onConfirm: (reason: string) => void;
}

/** Asks before everybody is disconnected. */
function CloseDialog({ document, people, onClose, onConfirm }: CloseDialogProps) {
  return (
    <ConfirmDialog
      title={t('admin.closeTitle', { title: document.title })}
      text={t('admin.closeText', { count: people.length })}
      label={t('admin.closeDocument')}
      onClose={onClose}
      onConfirm={(fields) => onConfirm(String(fields.get('reason')))}
    >
      <ReasonField />
    </ConfirmDialog>
  );
}

interface ActionsProps extends Pick<DocumentAnswer, 'document' | 'people'> {
  run: Run;
  onClose: () => void;
}

function Actions({ document, people, run, onClose }: ActionsProps) {
  return (
    <div class="actions">
      {document.state === 'open' && (
        <Button onClick={() => void run('force-save', {}, () => t('admin.forceSaveStarted'))}>
          {t('admin.forceSave')}
        </Button>
      )}
      {document.state === 'forgotten' && (
        <Button kind="primary" onClick={() => void run('hand-back', {}, () => t('admin.redeliverStarted'))}>
          {t('admin.redeliver')}
        </Button>
      )}
      {people.length > 0 && (
        <Button kind="danger" onClick={onClose}>
          {t('admin.closeDocument')}
        </Button>
      )}
    </div>
  );
}

function SaveLockQueue({ saveTurns, people }: DocumentAnswer) {
  const nameOf = (connectionId: string, user: string) =>
    people.find((one) => one.connectionId === connectionId)?.name ?? user;
  return (
    <>
      <h3>{t('admin.saveLockQueue')}</h3>
      {saveTurns.length === 0 && <p>{t('admin.noSaveLock')}</p>}
      {saveTurns.length > 0 && (
        <ol class="plain-list">
          {saveTurns.map(({ connectionId, user, expiresAtMs }) => (
            <li key={connectionId}>
              {t(expiresAtMs === null ? 'admin.waitsToSave' : 'admin.maySaveNow', {
                user: nameOf(connectionId, user),
              })}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Facts({ document }: Pick<DocumentAnswer, 'document'>) {
  const { storedAt, unsavedSince, refusedSince, openedAt } = document;
  const facts = [
    [t('admin.state'), <StateBadge key="state" state={document.state} />],
    [t('admin.key'), <code key="key">{document.key}</code>],
    [t('admin.type'), document.fileType],
    [t('admin.model'), modelName(document.model)],
    [t('admin.openedAt'), openedAt && fullTime(openedAt)],
    [t('admin.changes'), count(document.changes)],
    [t('admin.logSize'), size(document.logBytes)],
    [
      t('admin.storedChanges'),
      t('admin.storedOf', { stored: document.storedChanges, all: document.changes }),
    ],
    [t('admin.stored'), storedAt ? ago(storedAt) : t('admin.never')],
    [t('admin.unsaved'), unsavedSince && since(unsavedSince)],
    [t('admin.refusedSince'), refusedSince && fullTime(refusedSince)],
    [t('admin.sourceHost'), document.sourceHost],
    [t('admin.callbackHost'), document.callbackHost ?? t('admin.none')],
  ] as const;
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface ParticipantListProps {
  people: readonly Person[];
  onDisconnect: (connectionId: string, reason: string) => void;
}

/** Who is in a document; each connection is a line of its own. */
function ParticipantList({ people, onDisconnect }: ParticipantListProps) {
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
                {t('admin.onNode', { node: person.nodeName })}
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
