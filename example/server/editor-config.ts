import type { Person } from '../api.ts';
import { kindOf } from './file-kinds.ts';
import { permissionsOf } from './people.ts';
import { type DocumentRecord, fileName, latest, type Version } from './records.ts';
import type { Signature } from './signature.ts';

/** How somebody wants to open a document. */
interface Opening {
  person: Person;
  mode: 'edit' | 'view';
  /** Language of the editor's interface, as a tag. */
  lang: string;
  theme: string;
  /** Whether the page is zoomed to the width of the window. */
  fitsWidth?: boolean;
  /** Only to look at this version. */
  version?: Version;
}

/** The addresses that go into a configuration; no slash at the end. */
export interface ConfigAddresses {
  /** Of this application, for browsers. */
  forBrowsers: string;
  /** Of this application, for the document server. */
  forServers: string;
}

/** The address that the document server fetches a version from. */
function sourceUrl(base: string, id: string, file: string): string {
  return `${base}/storage/${id}/${file}`;
}

/**
 * What `DocsAPI.DocEditor` is created with (integration API, section 4): which document under which key, who opens it
 * with which rights, and where the document server reports to. The token signs all of it, so that nobody can give
 * themselves other rights in the browser.
 */
export async function editorConfig(
  record: DocumentRecord,
  { person, mode, lang, theme, fitsWidth = false, version }: Opening,
  { forBrowsers, forServers }: ConfigAddresses,
  signature: Signature,
): Promise<Record<string, unknown>> {
  const { id, session, createdAt, createdBy, fileType } = record;
  const base =
    version ?? record.versions.find(({ number }) => number === session.baseVersion) ?? latest(record);
  const mayEdit = person.role !== 'view' && !version;
  const config = {
    documentType: kindOf(fileType),
    type: 'desktop',
    document: {
      key: version ? version.key : session.key,
      title: fileName(record),
      fileType: base.fileType,
      url: sourceUrl(forServers, id, base.file),
      directUrl: `${forBrowsers}/api/documents/${id}/versions/${base.number}/file`,
      permissions: permissionsOf(mayEdit ? person.role : 'view'),
      info: { owner: createdBy.name, uploaded: createdAt },
    },
    editorConfig: {
      mode: mayEdit ? mode : 'view',
      lang,
      ...(!version && { callbackUrl: `${forServers}/callback/${id}` }),
      coEditing: { mode: 'fast', change: true },
      user: { id: person.id, name: person.name, image: `${forBrowsers}/people/${person.id}.svg` },
      customization: {
        forcesave: true,
        uiTheme: theme,
        // The page around the editor shows the title already.
        toolbarHideFileName: true,
        ...(fitsWidth && { zoom: -2 }),
      },
    },
  };
  return { ...config, token: await signature.sign(config) };
}

/** What `refreshHistory` is given: the versions, with who made them and the changes that the callbacks brought. */
export function historyList(record: DocumentRecord): Record<string, unknown> {
  return {
    currentVersion: latest(record).number,
    history: record.versions.map(({ number, key, savedAt, people, history }) => ({
      version: number,
      key,
      created: savedAt.slice(0, 19).replace('T', ' '),
      user: people.at(-1) ?? { id: '', name: '' },
      ...(history?.serverVersion && { serverVersion: history.serverVersion }),
      ...(history?.changes ? { changes: history.changes } : {}),
    })),
  };
}

/**
 * What `setHistoryData` is given for a version, signed. Its changes apply to the version that its editing session began
 * with, which need not be the one before it.
 */
export async function historyData(
  record: DocumentRecord,
  version: Version,
  { forServers }: ConfigAddresses,
  signature: Signature,
): Promise<Record<string, unknown>> {
  const address = (file: string) => sourceUrl(forServers, record.id, file);
  const described = ({ key, fileType, file }: Version) => ({ key, fileType, url: address(file) });
  const base = record.versions.find(({ number }) => number === version.session?.baseVersion);
  const data = {
    version: version.number,
    ...described(version),
    ...(base && { previous: described(base) }),
    ...(base && version.changesFile && { changesUrl: address(version.changesFile) }),
  };
  return { ...data, token: await signature.sign(data) };
}
