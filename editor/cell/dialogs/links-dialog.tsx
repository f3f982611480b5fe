import { useState } from 'preact/hooks';
import { booksOf, type LinkedBook } from '../../../model/cell/linked-book.ts';
import { announce } from '../../kit/announce.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
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

type Task = (id: string) => Promise<void>;

/** The workbooks that formulas of this one read, and what can be done with each. */
export function LinksDialog({ editor, onClose }: RuleDialogProps) {
  const books = [...booksOf(editor.workbook.value)];
  const powers = linkPowers(editor);
  /** What is said of each link; `busy` is the one that something is done with. */
  const [said, setSaid] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState<string | null>(null);
  const [breaking, setBreaking] = useState<string | null>(null);
  const say = (id: string, text: string) => setSaid((before) => ({ ...before, [id]: text }));

  /** Does something with links one after the other: a page answers one question at a time. */
  async function run(ids: readonly string[], task: Task): Promise<void> {
    for (const id of ids) {
      setBusy(id);
      say(id, t('links.reading'));
      const outcome = await task(id).then(
        () => t('links.updated'),
        (error: unknown) => {
          if (error instanceof LinkProblem) return error.message;
          throw error;
        },
      );
      say(id, outcome);
      announce(outcome);
    }
    setBusy(null);
  }
  const update: Task = (id) => updateBook(editor, id);

  function breakNow(id: string): void {
    const count = breakLink(editor, id);
    setBreaking(null);
    if (count !== null) announce(t('links.broken', { count }));
  }

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
            disabled={!powers.update || busy !== null || books.length === 0}
            onClick={() =>
              void run(
                books.map(([id]) => id),
                update,
              )
            }
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
          <li key={id} aria-busy={busy === id}>
            <span>
              {titleOfBook(book)}
              <small>
                {book.address} · {said[id] ?? stateOf(book)}
              </small>
              {breaking === id && <small role="alert">{t('links.breakHelp')}</small>}
            </span>
            <span class="rule-buttons">
              {breaking === id ? (
                <>
                  <Button kind="primary" onClick={() => breakNow(id)}>
                    {t('links.break')}
                  </Button>
                  <Button onClick={() => setBreaking(null)}>{t('common.cancel')}</Button>
                </>
              ) : (
                <>
                  {powers.update && (
                    <Button disabled={busy !== null} onClick={() => void run([id], update)}>
                      {t('links.update')}
                    </Button>
                  )}
                  {powers.change && (
                    <Button
                      disabled={busy !== null}
                      onClick={() => void run([id], (one) => changeSource(editor, one))}
                    >
                      {t('links.change')}
                    </Button>
                  )}
                  {powers.open && <Button onClick={() => openSource(editor, book)}>{t('links.open')}</Button>}
                  <Button disabled={busy !== null} onClick={() => setBreaking(id)}>
                    {t('links.break')}
                  </Button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** How much of a link is known, where nothing was done with it yet. */
function stateOf({ sheets }: LinkedBook): string {
  const count = sheets.reduce((sum, { cells }) => sum + cells.length, 0);
  return count === 0 ? t('links.nothingKept') : t('links.kept', { count });
}
