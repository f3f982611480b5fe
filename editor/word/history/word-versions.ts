import { WordSession } from '../../../client/word/word-session.ts';
import { documentRights } from '../../../model/word/rights/document-rights.ts';
import { versionConfig, versionSession } from '../../shell/history/version-opening.ts';
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
  return WordEditor.open({
    config: versionConfig(editor, file),
    host: editor.host,
    serverUrl: editor.serverUrl,
    features: [viewFeature, () => [changeMarks()]],
    versions: wordVersions,
    session: versionSession(editor, file),
  });
}

/** Only the text of a version, to compare with. The session has ended when it is there. */
async function readVersion(editor: WordEditor, file: VersionFile): Promise<OpenedVersion> {
  const session = new WordSession(versionSession(editor, file));
  try {
    await session.open();
    return { doc: session.state.doc, rights: documentRights(session.document) };
  } finally {
    session.close().catch(() => undefined);
  }
}
