import { WordSession, type WordSessionOptions } from '../../../client/word/word-session.ts';
import { documentRights } from '../../../model/word/rights/document-rights.ts';
import { nameOfClientError } from '../../frame/error-codes.ts';
import { readFrameConfig } from '../../frame/frame-config.ts';
import type { HostCommandData } from '../../frame/host-commands.ts';
import { describeCode } from '../../frame/host-report.ts';
import { viewFeature } from '../view/view-feature.ts';
import { WordEditor } from '../word-editor.ts';
import type { OpenedVersion } from './compare/authorship.ts';
import { changeMarks } from './compare/change-marks.ts';

export type VersionData = HostCommandData<'setHistoryData'>['data'];

/** A file of a version: what the embedding page says of it. */
export interface VersionFile {
  readonly key: string;
  readonly url: string;
  readonly fileType: string;
  readonly token: string | undefined;
}

/** Opens a version for reading. @throws what `WordSession.open` throws */
export function openVersion(editor: WordEditor, file: VersionFile): Promise<WordEditor> {
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
    session: sessionOptions(editor, file),
  });
}

/** Only the text of a version, to compare with. The session has ended when it is there. */
export async function readVersion(editor: WordEditor, file: VersionFile): Promise<OpenedVersion> {
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

/** Why a version or another file cannot be shown, as a sentence after a space; empty where there is nothing to say. */
export function reasonOf(error: unknown): string {
  const code = nameOfClientError(error);
  return code && code !== 'unknown' && code !== 'editing' ? ` ${describeCode(code)}` : '';
}
