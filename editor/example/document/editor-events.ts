import type { Person } from '../../../example/api.ts';
import { t } from '../../strings/strings.ts';
import { renameDocument, restoreVersion, saveCopy } from '../actions.ts';
import { refresh } from '../documents.ts';
import { server } from '../server.ts';
import { people } from '../settings.ts';
import { tell, tellProblem } from '../shell/toasts.tsx';
import { agreed, leave, opened } from './closing.ts';
import type { DocEditor, EditorEvents } from './docs-api.ts';

interface EditorError {
  errorCode: number;
  errorDescription: string;
}

/**
 * Errors after which opening the document again helps: a token or key that is wrong or has expired, a session that was
 * ended for its age (integration API, 5.3). All others the editor shows itself.
 */
const curedByReopening: ReadonlySet<number> = new Set([-8, -21, -120, -121, -122]);

/** What the answers to an editor's events need. */
interface EditorContext {
  documentId: string;
  person: Person;
  editor: () => DocEditor | null;
  /** The configuration for another opening; `mode` replaces the one it was opened with. */
  freshConfig: () => Promise<object>;
  /** Opens the editor again, for editing or only to read. */
  reopen: (mode: 'edit' | 'view') => void;
  mode: 'edit' | 'view';
}

/**
 * The answers to what an editor asks of its page (integration API, 5.1). Only what is answered here is offered in the
 * editor: it goes by which handlers there are.
 */
export function editorEvents(context: EditorContext): EditorEvents {
  const { documentId, person, editor, freshConfig, reopen, mode } = context;
  const withEditor = (act: (one: DocEditor) => void) => {
    const one = editor();
    if (one) act(one);
  };
  const answer = (task: () => Promise<unknown>) => void task().catch(tellProblem);
  return {
    onRequestHistory: () => answer(async () => editor()?.refreshHistory(await server.history(documentId))),
    onRequestHistoryData: ({ data }) =>
      answer(async () => editor()?.setHistoryData(await server.historyData(documentId, Number(data)))),
    onRequestHistoryClose: () => reopen(mode),
    onRequestRestore: ({ data }) =>
      answer(async () => {
        const { version } = data as { version: number };
        if (await restoreVersion(documentId, version)) reopen(mode);
      }),

    onRequestRename: ({ data }) => answer(() => renameDocument(documentId, String(data))),
    onMetaChange: () => void refresh(),
    onDocumentReady: () => withEditor(opened),
    onRequestClose: () => withEditor(agreed),
    onRequestCreateNew: () => leave({ page: 'list' }),
    onRequestSaveAs: ({ data }) =>
      answer(() => saveCopy(data as { url: string; title: string; fileType: string })),

    onRequestUsers: ({ data }) => {
      const { c } = (data ?? {}) as { c?: string };
      const users = people().map(({ id, name, email }) => ({
        id,
        name,
        email,
        image: new URL(`people/${id}.svg`, document.baseURI).href,
      }));
      editor()?.setUsers({ c, users, total: users.length });
    },

    onRequestEditRights: () => {
      if (person.role === 'view') editor()?.showMessage(t('example.reading', { name: person.name }));
      else reopen('edit');
    },
    onRequestRefreshFile: () => answer(async () => editor()?.refreshFile(await freshConfig())),
    onOutdatedVersion: () => reopen(mode),

    onError: ({ data }) => {
      const { errorCode, errorDescription } = (data ?? {}) as Partial<EditorError>;
      if (errorCode === undefined || !curedByReopening.has(errorCode)) return;
      const restart = { label: t('example.restart'), run: () => reopen(mode) };
      tell(t('example.editorProblem', { message: errorDescription ?? '' }), restart, 'problem');
    },
  };
}
