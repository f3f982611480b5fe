import type { FetchedPicture, UploadedPicture } from '../../../client/replica/document-media.ts';
import { nameOfServiceError } from '../../frame/error-codes.ts';
import type { HostCommandData } from '../../frame/host-commands.ts';
import { describeCode, reportToHost } from '../../frame/host-report.ts';
import { announce } from '../../kit/announce.tsx';
import type { MenuEntry } from '../../kit/menu.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { OpenDocument } from '../document-editor.ts';

/** A document that takes pictures of the embedding page's storage. */
export interface HostPictureTarget extends Pick<OpenDocument, 'host' | 'role' | 'config'> {
  readonly session: {
    fetchPictures(addresses: readonly string[], token?: string): Promise<readonly FetchedPicture[]>;
  };
}

/**
 * Puts in pictures of the embedding page's storage, by address. The server fetches them; the browser never sees the
 * storage (integration API, 12.4). Says which cannot be put in, and why.
 *
 * @param insert false where it was refused, and why was said; throws for what the browser cannot show
 */
export async function insertHostPictures(
  { role, session, host }: HostPictureTarget,
  { images, url, token }: HostCommandData<'insertImage'>,
  insert: (picture: UploadedPicture) => Promise<boolean>,
): Promise<void> {
  if (!role.canEdit) return;
  const addresses = images.length > 0 ? images.map((image) => image.url) : [url].filter(Boolean);
  if (addresses.length === 0) return;
  try {
    for (const picture of await session.fetchPictures(addresses, token)) {
      if ('errorCode' in picture) {
        const name = nameOfServiceError(picture.errorCode);
        reportToHost(host, name);
        notify({ text: describeCode(name), kind: 'error' });
      } else {
        await insert(picture).then(
          (isInserted) => isInserted && announce(t('host.pictureInserted')),
          () => notify({ text: describeCode('imageExtension'), kind: 'error' }),
        );
      }
    }
  } catch {
    notify({ text: t('saving.noConnection'), kind: 'error' });
  }
}

/** What a menu offers where the embedding page has pictures. */
export const hostPictureEntries = ({ config, host, role }: HostPictureTarget): MenuEntry[] =>
  config.editorConfig.canRequestInsertImage
    ? [
        {
          label: t('host.pictureFromStorage'),
          disabled: !role.canEdit,
          run: () => host.send('onRequestInsertImage', { c: 'add' }),
        },
      ]
    : [];
