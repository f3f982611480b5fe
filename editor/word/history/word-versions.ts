import { WordSession, type WordSessionOptions } from '../../../client/word/word-session.ts';
import { documentRights } from '../../../model/word/rights/document-rights.ts';
import { readFrameConfig } from '../../frame/frame-config.ts';
import type { Differences, VersionFile, VersionReader } from '../../shell/history/version-reader.ts';
import { viewFeature } from '../view/view-feature.ts';
import { WordEditor } from '../word-editor.ts';
import type { OpenedVersion } from './compare/authorship.ts';
import { changeMarks, type MarkedDifference, showChangeMarks } from './compare/change-marks.ts';

/** Shows and compares versions of a text document. */
export const wordVersions = (editor: WordEditor): VersionReader<WordEditor> => ({
  open: (file) => openVersion(editor, file),
  close({ session }) {
    session.close().catch(() => undefined);
  },
  async differencesSince(file, shown, authors) {
    const [older, compareVersions, known] = await Promise.all([
      readVersion(editor, file),
      comparing(),
      authors,
    ]);
    return differencesIn(shown, compareVersions(older, shown.session.state.doc, known));
  },
  async differencesFromDocument(shown) {
    const compareVersions = await comparing();
    const own = { doc: editor.session.state.doc, rights: documentRights(editor.document) };
    const noAuthors = { names: new Map(), changes: null };
    return differencesIn(shown, compareVersions(own, shown.session.state.doc, noAuthors));
  },
});

/** Loaded by those who compare. */
async function comparing() {
  const { compareVersions } = await import('./compare/compared-version.ts');
  return compareVersions;
}

const differencesIn = (shown: WordEditor, marks: readonly MarkedDifference[]): Differences => ({
  count: marks.length,
  mark: () => shown.dispatch(showChangeMarks(shown.session, marks)),
});

/** Opens a version for reading. @throws what `WordSession.open` throws */
function openVersion(editor: WordEditor, file: VersionFile): Promise<WordEditor> {
  const { user, lang, customization } = editor.config.editorConfig;
  const config = readFrameConfig(
    { user, lang, customization, mode: 'view', coEditing: { mode: 'strict', change: false } },
    { ...file, fileType: typeOf(editor, file), title: editor.title.peek(), permissions: { edit: false } },
  );
  return WordEditor.open({
    config,
    host: editor.host,
    serverUrl: editor.serverUrl,
    features: [viewFeature, () => [changeMarks()]],
    versions: wordVersions,
    session: sessionOptions(editor, file),
  });
}

/** Only the text of a version, to compare with. The session has ended when it is there. */
async function readVersion(editor: WordEditor, file: VersionFile): Promise<OpenedVersion> {
  const session = new WordSession(sessionOptions(editor, file));
  try {
    await session.open();
    return { doc: session.state.doc, rights: documentRights(session.document) };
  } finally {
    session.close().catch(() => undefined);
  }
}

const typeOf = ({ config }: WordEditor, { fileType }: VersionFile) => fileType || config.document.fileType;

function sessionOptions(editor: WordEditor, file: VersionFile): WordSessionOptions {
  const { user } = editor.config.editorConfig;
  const { key, url, token } = file;
  return {
    url: editor.serverUrl,
    key,
    auth: {
      user: { id: user.id, username: user.name },
      permissions: { edit: false },
      mode: 'view',
      coEditingMode: 'strict',
      openCmd: { format: typeOf(editor, file), url, title: editor.title.peek() },
    },
    ...(token !== undefined && { token }),
  };
}
