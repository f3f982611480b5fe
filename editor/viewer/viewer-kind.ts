import { DocumentClient } from '../../client/document-client.ts';
import { documentFile } from '../../client/protocol/open-command.ts';
import { kinds } from '../../model/kinds.ts';
import { type HostCodeName, nameOfClientError } from '../frame/error-codes.ts';
import { notify } from '../kit/notices.tsx';
import { followKeys } from '../shell/actions.ts';
import type { EditorKind, Opening } from '../shell/opening/opening.ts';
import { sessionOptions } from '../shell/opening/session-options.ts';
import { t } from '../strings/strings.ts';
import { loadPdf, loadPdfLibrary, type PdfDocument, type PdfLibrary } from './pdf/pdf-library.ts';
import { readerRole } from './reader-role.ts';
import { Viewer } from './viewer.ts';

/** Documents that are looked at as pages, as the page opens them. */
export class ViewerKind implements EditorKind<Viewer> {
  readonly staysWhileReopening = false;
  readonly roleOf = readerRole;
  readonly follow = viewerKeys;

  async open(opening: Opening): Promise<Viewer> {
    const { config, host, serverUrl, signal } = opening;
    const library = loadPdfLibrary();
    // Whether it can be loaded is seen when it is needed.
    library.catch(() => undefined);
    const client = clientFor(opening);
    signal.addEventListener('abort', () => client.abort());
    opening.follow(client);
    const opened = await client.open();
    const url = opened?.urls[documentFile];
    if (url === undefined) throw new Error('the server gave no file');
    const pdf = await load(await library, url, opening);
    if (isTooBig()) notify({ text: t('viewer.tooBig'), kind: 'warning', topic: 'too-big', stays: true });
    return new Viewer({ config, host, serverUrl, client, library: await library, pdf });
  }

  /** Errors of PDF.js have names and no classes of their own that a page sees before it is loaded. */
  codeOf(error: unknown): HostCodeName | null {
    switch ((error as { name?: unknown } | null)?.name) {
      case 'InvalidPDFException':
      case 'FormatError':
        return 'openFailed';
      case 'ResponseException':
        return 'downloadFailed';
      case 'PasswordException':
        return 'passwordNeeded';
      default: {
        const code = nameOfClientError(error);
        // That no engine shows it is not why it is not edited.
        return code === 'formatNotRecognised' && isTooBig() ? 'tooBig' : code;
      }
    }
  }

  /** Goes back to the editor that could not open the document: there may be another file at its address by now. */
  leaveBack(): boolean {
    const { searchParams } = new URL(location.href);
    const from = searchParams.get('from');
    if (!kinds.edited.some(({ name }) => name === from)) return false;
    for (const name of ['from', 'why']) searchParams.delete(name);
    location.replace(new URL(`../${from}/index.html?${searchParams}`, location.href));
    return true;
  }
}

/** Whether its editor could not open the document since it is too large. */
const isTooBig = (): boolean => new URL(location.href).searchParams.get('why') === 'tooBig';

function clientFor(opening: Opening): DocumentClient {
  const options = sessionOptions(opening);
  const { auth } = options;
  return new DocumentClient({
    ...options,
    auth: { ...auth, mode: 'view', coEditingMode: 'strict', openCmd: { ...auth.openCmd, model: 'pages' } },
  });
}

/** Loads a file, if need be with the password that the person says. */
function load(library: PdfLibrary, url: string, { signal, ask }: Opening): Promise<PdfDocument> {
  const loading = loadPdf(library, url);
  signal.addEventListener('abort', () => void loading.destroy());
  if (signal.aborted) void loading.destroy();
  const { INCORRECT_PASSWORD } = library.core.PasswordResponses;
  loading.onPassword = (unlock: (password: string) => void, reason: number) => {
    const isWrong = reason === INCORRECT_PASSWORD;
    void ask({ kind: 'password', isWrong }).then(({ password = '' }) => unlock(password));
  };
  return loading.promise;
}

/** Binds keys. Arrows, space and page keys scroll by themselves where the pages have the focus. Returns how to stop. */
function viewerKeys(viewer: Viewer): () => void {
  const pages = () => viewer.pages.peek();
  /** What keys do as soon as there are pages; in the pages alone where `isInside`. */
  const act = (run: () => void, { isInside = false, isPossible = (): boolean => true } = {}) => {
    return () => {
      const isHere = !isInside || document.activeElement?.closest('.viewer-pages');
      if (!pages() || !isHere || !isPossible()) return false;
      run();
      return true;
    };
  };
  const larger = act(() => pages()?.zoomBy(1));
  return followKeys({
    'Mod-f': act(() => viewer.find()),
    'Mod-p': act(() => viewer.print()),
    'Mod-+': larger,
    'Mod-=': larger,
    'Mod--': act(() => pages()?.zoomBy(-1)),
    'Mod-0': act(() => pages()?.zoom(1)),
    Home: act(() => pages()?.goTo(1), { isInside: true }),
    End: act(() => pages()?.goTo(pages()!.pageCount), { isInside: true }),
    Escape: act(
      () => {
        viewer.dialog.value = null;
      },
      { isInside: true, isPossible: () => viewer.dialog.peek() === 'find' },
    ),
  });
}
