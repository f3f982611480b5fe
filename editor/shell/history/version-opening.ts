import type { SessionOptions } from '../../../client/replica/session-options.ts';
import { type FrameConfig, readFrameConfig } from '../../frame/frame-config.ts';
import type { OpenDocument } from '../document-editor.ts';
import type { VersionFile } from './version-reader.ts';

/** As much of the open document as its versions are opened with. */
type Opener = Pick<OpenDocument, 'config' | 'role' | 'serverUrl' | 'title'>;

/** The configuration with which a version is shown: to be read only, in the words and by the rights of the document. */
export function versionConfig(editor: Opener, file: VersionFile): FrameConfig {
  const { user, lang, region, customization } = editor.config.editorConfig;
  return readFrameConfig(
    { user, lang, region, customization, mode: 'view', coEditing: { mode: 'strict', change: false } },
    {
      ...file,
      fileType: typeOf(editor, file),
      title: editor.title.peek(),
      permissions: { edit: false, copy: editor.role.canCopy },
    },
  );
}

/** The session in which a version is read. */
export function versionSession(editor: Opener, file: VersionFile) {
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
  } satisfies SessionOptions;
}

const typeOf = ({ config }: Opener, { fileType }: VersionFile) => fileType || config.document.fileType;
