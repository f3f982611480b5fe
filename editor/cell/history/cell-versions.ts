import { CellSession } from '../../../client/cell/cell-session.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { versionConfig, versionSession } from '../../shell/history/version-opening.ts';
import type { Differences, VersionFile, VersionReader } from '../../shell/history/version-reader.ts';
import { CellEditor } from '../cell-editor.ts';

/** Shows and compares versions of a workbook. */
export const cellVersions = (editor: CellEditor): VersionReader<CellEditor> => ({
  open: (file) => openVersion(editor, file),
  close({ session }) {
    session.close().catch(() => undefined);
  },
  async differencesSince(file, shown) {
    return differencesIn(shown, await readVersion(editor, file));
  },
  differencesFromDocument: (shown) => differencesIn(shown, editor.session.workbook),
});

async function differencesIn(shown: CellEditor, older: Workbook): Promise<Differences> {
  // Loaded by those who compare.
  const { compareWorkbooks } = await import('./compared-sheets.ts');
  const differences = compareWorkbooks(older, shown.session.workbook);
  return {
    count: differences.length,
    mark() {
      shown.marks.differences.value = differences;
    },
  };
}

/** Opens a version for reading. @throws what `CellSession.open` throws */
function openVersion(editor: CellEditor, file: VersionFile): Promise<CellEditor> {
  return CellEditor.open({
    config: versionConfig(editor, file),
    host: editor.host,
    serverUrl: editor.serverUrl,
    versions: cellVersions,
    makeSession: (onChange, onMedia) =>
      new CellSession({ ...versionSession(editor, file), onChange, onMedia }),
  });
}

/** Only what a version holds, to compare with. The session has ended when it is there. */
async function readVersion(editor: CellEditor, file: VersionFile): Promise<Workbook> {
  const session = new CellSession(versionSession(editor, file));
  try {
    await session.open();
    return session.workbook;
  } finally {
    session.close().catch(() => undefined);
  }
}
