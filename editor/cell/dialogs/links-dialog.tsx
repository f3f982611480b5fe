import { useState } from 'preact/hooks';
import { booksOf, type LinkedBook } from '../../../model/cell/linked-book.ts';
import { announce } from '../../kit/announce.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import {
  breakLink,
  changeSource,
  LinkProblem,
  linkPowers,
  openSource,
  titleOfBook,
  updateBook,
} from '../links/linked-books.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

/** The workbooks that formulas of this one read, and what can be done with each. */
export function LinksDialog({ editor, onClose }: RuleDialogProps) {
  const books = [...booksOf(editor.page.workbook.value)];
  const powers = linkPowers(editor);
  const work = useLinkWork(editor);
  /** The one that is to be broken, if that is wanted. */
  const [breaking, setBreaking] = useState<string | null>(null);
  return (
    <Dialog
      title={t('links.title')}
      onClose={onClose}
      width="40rem"
      actions={
        <>
          <Button onClick={onClose}>{t('common.close')}</Button>
          <Button
            kind="primary"
            disabled={!powers.update || work.busy !== null || books.length === 0}
            onClick={() => work.update(...books.map(([id]) => id))}
          >
            {t('links.updateAll')}
          </Button>
        </>
      }
    >
      {books.length === 0 && <p>{t('links.none')}</p>}
      {books.length > 0 && !powers.update && <p>{t('links.notGiven')}</p>}
      <ul class="rule-list" aria-label={t('links.title')}>
        {books.map(([id, book]) => (
          <LinkEntry
            key={id}
            {...{ editor, id, book, work }}
            isBreaking={breaking === id}
            onBreaking={(isBreaking) => setBreaking(isBreaking ? id : null)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

/** What is done with links, one after the other: a page answers one question at a time. */
interface LinkWork {
  /** The one that something is done with. */
  readonly busy: string | null;
  /** What is said of each since the dialog opened. */
  readonly said: Readonly<Record<string, string>>;
  /** Reads the values of links anew. */
  update(...ids: string[]): void;
  /** Has the page name another file for a link. */
  change(id: string): void;
}

function useLinkWork(editor: CellEditor): LinkWork {
  const [said, setSaid] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState<string | null>(null);
  const say = (id: string, text: string) => setSaid((before) => ({ ...before, [id]: text }));
  const run = async (ids: readonly string[], task: (id: string) => Promise<void>) => {
    for (const id of ids) {
      setBusy(id);
      say(id, t('links.reading'));
      const outcome = await outcomeOf(task(id));
      say(id, outcome);
      announce(outcome);
    }
    setBusy(null);
  };
  return {
    busy,
    said,
    update: (...ids) => void run(ids, (id) => updateBook(editor, id)),
    change: (id) => void run([id], () => changeSource(editor, id)),
  };
}

/** What is said of a link when something was done with it. */
const outcomeOf = (task: Promise<void>): Promise<string> =>
  task.then(
    () => t('links.updated'),
    (error: unknown) => {
      if (error instanceof LinkProblem) return error.message;
      throw error;
    },
  );

interface LinkEntryProps {
  editor: CellEditor;
  id: string;
  book: LinkedBook;
  work: LinkWork;
  /** Whether it is asked whether it shall be broken. */
  isBreaking: boolean;
  onBreaking: (isBreaking: boolean) => void;
}

function LinkEntry(props: LinkEntryProps) {
  const { id, book, work, isBreaking } = props;
  return (
    <li aria-busy={work.busy === id}>
      <span>
        {titleOfBook(book)}
        <small>
          {book.address} · {work.said[id] ?? stateOf(book)}
        </small>
        {isBreaking && <small role="alert">{t('links.breakHelp')}</small>}
      </span>
      <span class="rule-buttons">
        <LinkButtons {...props} />
      </span>
    </li>
  );
}

/** What can be done with a link. All are drawn by one component, so that the focus stays at a button when they change. */
function LinkButtons({ editor, id, book, work, isBreaking, onBreaking }: LinkEntryProps) {
  const powers = linkPowers(editor);
  const isBusy = work.busy !== null;
  const breakNow = () => {
    const count = breakLink(editor, id);
    onBreaking(false);
    if (count !== null) announce(t('links.broken', { count }));
  };
  if (isBreaking)
    return (
      <>
        <Button kind="primary" onClick={breakNow}>
          {t('links.break')}
        </Button>
        <Button onClick={() => onBreaking(false)}>{t('common.cancel')}</Button>
      </>
    );
  return (
    <>
      {powers.update && (
        <Button disabled={isBusy} onClick={() => work.update(id)}>
          {t('links.update')}
        </Button>
      )}
      {powers.change && (
        <Button disabled={isBusy} onClick={() => work.change(id)}>
          {t('links.change')}
        </Button>
      )}
      {powers.open && <Button onClick={() => openSource(editor, book)}>{t('links.open')}</Button>}
      <Button disabled={isBusy} onClick={() => onBreaking(true)}>
        {t('links.break')}
      </Button>
    </>
  );
}

/** How much of a link is known, where nothing was done with it yet. */
function stateOf({ sheets }: LinkedBook): string {
  const count = sheets.reduce((sum, { cells }) => sum + cells.length, 0);
  return count === 0 ? t('links.nothingKept') : t('links.kept', { count });
}
