import { nameOfServiceError } from '../../frame/error-codes.ts';
import type { HostCommandData } from '../../frame/host-commands.ts';
import { describeCode, reportToHost } from '../../frame/host-report.ts';
import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { placePicture } from '../pictures/insert-pictures.ts';
import type { WordEditor } from '../word-editor.ts';

/**
 * Inserts pictures of the embedding page's storage, by address. The server fetches them; the browser never sees the
 * storage (integration API, 12.4). Says which cannot be inserted, and why.
 */
export async function insertHostPictures(
  editor: WordEditor,
  { images, url, token }: HostCommandData<'insertImage'>,
): Promise<void> {
  if (!editor.role.canEdit) return;
  const addresses = images.length > 0 ? images.map((image) => image.url) : [url].filter(Boolean);
  if (addresses.length === 0) return;
  try {
    for (const picture of await editor.session.fetchPictures(addresses, token)) {
      if ('errorCode' in picture) {
        const name = nameOfServiceError(picture.errorCode);
        reportToHost(editor.host, name);
        notify({ text: describeCode(name), kind: 'error' });
      } else {
        await placePicture(editor, picture).then(
          () => announce(t('host.pictureInserted')),
          () => notify({ text: describeCode('imageExtension'), kind: 'error' }),
        );
      }
    }
  } catch {
    notify({ text: t('saving.noConnection'), kind: 'error' });
  }
}
