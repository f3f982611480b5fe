import { t } from '../strings/strings.ts';
import { EditNotice, HostFrame } from './host-frame.ts';
import { showSentence } from './problem-page.ts';
import { askServer, type FileInfo, pageData, pageJson, type ServerAnswer } from './server.ts';

/** As much of `DocsAPI.DocEditor` as the page calls. */
interface DocEditor {
  blurFocus(): void;
  grabFocus(): void;
  insertImage(data: unknown): void;
  showMessage(text: string): void;
  serviceCommand(command: string, data?: unknown): void;
}

type Handler = (event: { data: unknown }) => void;

const editNoticeMs = 30_000;

/** Opens the editor that the page is for, and carries between it and the host's page (integration API, 13.7). */
export function openEditor(): void {
  const config = pageJson<Record<string, unknown>>('configJsonData');
  const info = pageJson<FileInfo>('fileInfoJsonData') ?? {};
  const { DocsAPI } = window as unknown as {
    DocsAPI?: { DocEditor: new (place: string, config: object) => DocEditor };
  };
  if (!config || !DocsAPI) {
    showSentence(t('wopi.notBuilt'));
    return;
  }
  const host = new HostFrame(window, info.PostMessageOrigin);
  let imageCommand: unknown;
  const events: Record<string, Handler | undefined> = {
    ...editorEvents(info, host, () => editor),
    onRequestInsertImage: info.EnableInsertRemoteImage
      ? ({ data }) => {
          imageCommand = (data as { c?: unknown } | null)?.c;
          host.send('UI_InsertGraphic');
        }
      : undefined,
  };
  const handled = Object.fromEntries(Object.entries(events).filter(([, handler]) => handler !== undefined));
  const editor = new DocsAPI.DocEditor('editor', {
    ...config,
    width: '100%',
    height: '100%',
    events: handled,
  });
  host.on('Blur_Focus', () => editor.blurFocus());
  host.on('Grab_Focus', () => editor.grabFocus());
  host.on('Action_InsertGraphic', ({ url }) => {
    editor.insertImage({ c: imageCommand, images: [{ url, fileType: extensionIn(url) }] });
  });
}

/** What is done with the editor's events. `editor` is asked when one comes: it is made with them. */
function editorEvents(
  info: FileInfo,
  host: HostFrame,
  editor: () => DocEditor,
): Record<string, Handler | undefined> {
  const startedAtMs = Date.now();
  const tell = (answer: ServerAnswer): void => {
    if (answer.error) editor().showMessage(t('wopi.refused', { reason: answer.error }));
  };
  const notice = new EditNotice(() => host.send('Edit_Notification'), editNoticeMs);
  const renamesHere = pageData('renamesData') === 'page';
  return {
    onDocumentReady: () =>
      host.send('App_LoadingStatus', {
        Status: 'Document_Loaded',
        DocumentLoadedTime: Date.now() - startedAtMs,
      }),
    onDocumentStateChange: info.EditNotificationPostMessage
      ? ({ data }) => data === true && notice.edited()
      : undefined,
    onRequestClose: closing(info, host),
    onRequestEditRights: posting(info.EditModePostMessage, 'UI_Edit', info.HostEditUrl, host),
    onRequestSharingSettings: posting(info.FileSharingPostMessage, 'UI_Sharing', info.FileSharingUrl, host),
    onRequestHistory: posting(info.FileVersionPostMessage, 'UI_FileVersions', info.FileVersionUrl, host),
    onRequestRename:
      info.SupportsRename && (info.UserCanRename ?? info.UserCanWrite)
        ? async ({ data }) => {
            const answer = renamesHere ? await askServer('rename', { name: String(data) }) : {};
            tell(answer);
            if (!answer.error) host.send('File_Rename', { NewName: answer.name ?? data });
          }
        : undefined,
    onRequestSaveAs:
      info.SupportsUpdate && !info.UserCanNotWriteRelative
        ? async ({ data }) => {
            const { url, title } = data as { url: string; title: string };
            const answer = await askServer('save-as', { url, title });
            tell(answer);
            // Editors of others wait to hear that it is done.
            editor().serviceCommand('wopi:saveAsComplete');
            if (!answer.error) editor().showMessage(t('wopi.savedAs', { name: answer.name ?? title }));
          }
        : undefined,
    onOutdatedVersion: () => location.reload(),
  };
}

function closing(info: FileInfo, host: HostFrame): Handler | undefined {
  if (info.ClosePostMessage) return () => host.send('UI_Close');
  const url = webAddress(info.CloseUrl);
  return url === null
    ? undefined
    : () => {
        (window.top ?? window).location.href = url;
      };
}

/** An event that the host's page is told of if it wants that, or else opens a page of the host. */
function posting(
  wanted: boolean | undefined,
  messageId: string,
  address: string | undefined,
  host: HostFrame,
): Handler | undefined {
  if (wanted) return () => host.send(messageId);
  const url = webAddress(address);
  return url === null ? undefined : () => void window.open(url, '_blank', 'noopener');
}

const webAddress = (address: string | undefined): string | null =>
  address !== undefined && /^https?:\/\//i.test(address) ? address : null;

const extensionIn = (url: unknown): string =>
  /\.([0-9A-Za-z]{2,5})(?:[?#]|$)/.exec(String(url))?.[1]?.toLowerCase() ?? '';
