import { useSignal, useSignalEffect } from '@preact/signals';
import { Check, CheckCheck, ChevronDown, ChevronUp, ListX, X } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button, IconButton } from '../../../kit/button.tsx';
import { SidePanel } from '../../../kit/side-panel.tsx';
import { togglePanel } from '../../../shell/document-editor.ts';
import { ago, authorColor, fullTime, shownName } from '../../../shell/people/byline.ts';
import { t } from '../../../strings/strings.ts';
import { goTo } from '../../commands/selection.ts';
import type { WordEditor } from '../../word-editor.ts';
import { changesIn, findAgain, type TrackedChange } from './changes.ts';
import type { Decision } from './revision.ts';
import { neighbourOf, settleChanges } from './settle-changes.ts';
import './changes-panel.css';

const recountAfterMs = 300;
/** More entries than this make the page slow and help nobody. */
const mostShown = 500;

/** The tracked changes of the document, counted again when somebody has stopped typing for a moment. */
function useChanges({ review, session, state }: WordEditor) {
  const changes = useSignal<readonly TrackedChange[]>([]);
  const recount = () => {
    changes.value = changesIn(session.state.doc, review.fileRevisions);
  };
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const counted = useRef<unknown>(null);
  useSignalEffect(() => {
    const { doc } = state.value;
    if (counted.current === doc) return;
    const isFirst = counted.current === null;
    counted.current = doc;
    if (isFirst) recount();
    timer.current ??= setTimeout(() => {
      timer.current = null;
      recount();
    }, recountAfterMs);
  });
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return { changes, recount };
}

/** All tracked changes of the document, to be looked at and decided on. */
export function ChangesPanel({ editor }: { editor: WordEditor }) {
  const { review, session } = editor;
  const list = useRef<HTMLOListElement>(null);
  const { changes, recount } = useChanges(editor);
  const focusAt = useRef<number | null>(null);
  // A person who decides with the keyboard goes on with the next entry.
  useEffect(() => {
    const at = focusAt.current;
    focusAt.current = null;
    if (at === null) return;
    const entries = list.current?.querySelectorAll<HTMLElement>('.change-text') ?? [];
    entries[Math.min(at, entries.length - 1)]?.focus();
  });

  const now = (change: TrackedChange) =>
    findAgain(changesIn(session.state.doc, review.fileRevisions), changes.value, change);
  const show = (change: TrackedChange) => {
    const found = now(change);
    if (found) goTo(editor, found.from, found.to);
  };
  const decide = (decision: Decision, change: TrackedChange, index: number) => {
    const found = now(change);
    if (found) settleChanges(editor, decision, found);
    focusAt.current = index;
    recount();
  };
  const decideIn = (decision: Decision, from: number, to: number) => {
    settleChanges(editor, decision, { from, to });
    recount();
  };
  const step = (direction: 1 | -1) => {
    recount();
    const next = neighbourOf(changes.value, session.state.selection, direction);
    if (next) goTo(editor, next.from, next.to);
  };
  const none = changes.value.length === 0;
  const { elsewhere } = review.fileRevisions;
  return (
    <SidePanel title={t('toolbar.changes')} onClose={() => togglePanel(editor, 'changes')}>
      <div class="changes-bar">
        <IconButton label={t('review.previousChange')} disabled={none} onClick={() => step(-1)}>
          <ChevronUp size={18} />
        </IconButton>
        <IconButton label={t('review.nextChange')} disabled={none} onClick={() => step(1)}>
          <ChevronDown size={18} />
        </IconButton>
        <span class="changes-count" role="status">
          {none ? '' : t('review.changes', { count: changes.value.length })}
        </span>
      </div>
      <DecideOnSeveral editor={editor} changes={changes.value} onDecide={decideIn} />
      {none && elsewhere === 0 && <p class="changes-none">{t('review.noChanges')}</p>}
      {elsewhere > 0 && <p class="changes-none">{t('review.changesElsewhere', { count: elsewhere })}</p>}
      <ol class="changes" ref={list} aria-label={t('toolbar.changes')}>
        {changes.value.slice(0, mostShown).map((change, index) => (
          <Change
            key={index}
            change={change}
            onShow={() => show(change)}
            onAccept={review.maySettle('accept', change) ? () => decide('accept', change, index) : null}
            onReject={review.maySettle('reject', change) ? () => decide('reject', change, index) : null}
          />
        ))}
      </ol>
      {changes.value.length > mostShown && (
        <p class="changes-none">{t('review.moreChanges', { count: changes.value.length - mostShown })}</p>
      )}
    </SidePanel>
  );
}

interface DecideOnSeveralProps {
  editor: WordEditor;
  changes: readonly TrackedChange[];
  onDecide: (decision: Decision, from: number, to: number) => void;
}

/** Accepts or rejects all changes, or those of the selection. */
function DecideOnSeveral({ editor, changes, onDecide }: DecideOnSeveralProps) {
  const { review, session } = editor;
  const { empty, from, to } = editor.state.value.selection;
  const [start, end] = empty ? [0, session.state.doc.content.size] : [from, to];
  const mayAccept = changes.some((change) => review.maySettle('accept', change));
  const mayReject = changes.some((change) => review.maySettle('reject', change));
  if (!mayAccept && !mayReject) return null;
  return (
    <div class="changes-bar">
      <Button disabled={!mayAccept} onClick={() => onDecide('accept', start, end)}>
        <CheckCheck size={16} aria-hidden="true" />
        {t(empty ? 'review.acceptAll' : 'review.acceptSelected')}
      </Button>
      <Button disabled={!mayReject} onClick={() => onDecide('reject', start, end)}>
        <ListX size={16} aria-hidden="true" />
        {t(empty ? 'review.rejectAll' : 'review.rejectSelected')}
      </Button>
    </div>
  );
}

const names = {
  insertion: 'inserted',
  deletion: 'deleted',
  moveFrom: 'movedAway',
  moveTo: 'movedHere',
  format: 'formatted',
  object: 'changedInside',
} as const;

interface ChangeProps {
  change: TrackedChange;
  onShow: () => void;
  onAccept: (() => void) | null;
  onReject: (() => void) | null;
}

function Change({ change, onShow, onAccept, onReject }: ChangeProps) {
  const { kind, author, date, text } = change;
  const name = shownName(author);
  const said = text.replaceAll('\ufffc', `[${t('review.object')}]`);
  return (
    <li style={{ '--author': authorColor(author) }}>
      <h3>
        <span class="change-author">{name}</span>
        {date !== null && (
          <time dateTime={date} title={fullTime(date)}>
            {ago(date)}
          </time>
        )}
      </h3>
      <button type="button" class={`change-text change-${kind}`} onClick={onShow}>
        <span class="change-kind">{t(`review.${names[kind]}`)}</span> <span dir="auto">{said}</span>
      </button>
      <span class="change-actions">
        {onAccept && (
          <IconButton label={t('review.acceptChange')} onClick={onAccept}>
            <Check size={18} />
          </IconButton>
        )}
        {onReject && (
          <IconButton label={t('review.rejectChange')} onClick={onReject}>
            <X size={18} />
          </IconButton>
        )}
      </span>
    </li>
  );
}
