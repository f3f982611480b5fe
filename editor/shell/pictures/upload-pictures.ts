import type { UploadedPicture } from '../../../client/replica/document-media.ts';
import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import { sizeOfPicture } from './picture-size.ts';

/** Where pictures are stored beside a document. */
export interface PictureStore {
  uploadPicture(picture: Blob): Promise<UploadedPicture>;
}

/**
 * Stores a picture beside the document and has it put in. Says what cannot be put in, and why.
 *
 * @param insert false where it was refused, and why was said; throws for what the browser cannot show
 */
export async function uploadPicture(
  store: PictureStore,
  file: File,
  insert: (picture: UploadedPicture) => Promise<boolean>,
): Promise<void> {
  try {
    await checkShown(file);
    const isInserted = await insert(await store.uploadPicture(file));
    if (isInserted) announce(t('pictures.inserted', { name: file.name }));
  } catch (error) {
    notify({ text: t(reasonOf(error), { name: file.name }), kind: 'error' });
  }
}

/** @throws when the browser cannot show the file; nothing is sent then */
async function checkShown(file: File): Promise<void> {
  const url = URL.createObjectURL(file);
  try {
    await sizeOfPicture(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function reasonOf(error: unknown): StringKey {
  const code = (error as { code?: unknown }).code;
  if (code === 'too-large') return 'pictures.tooLarge';
  if (code === 'network') return 'pictures.noConnection';
  if (code === 'not-allowed') return 'pictures.notAllowed';
  return 'pictures.notAPicture';
}

/** What a picture is called where nobody has described it: the name of its file. */
export const describedByName = (file: File): string => file.name.replace(/\.[^.]*$/, '').slice(0, 200);

/** The pictures among files that are dropped or pasted. */
export const pictureFiles = (data: Pick<DataTransfer, 'files'> | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));

/** The picture that an entry of the clipboard has, for a page that reads the clipboard itself; null: none. */
export async function pictureOnClipboard(item: ClipboardItem): Promise<File | null> {
  const type = item.types.find((one) => one.startsWith('image/'));
  if (type === undefined) return null;
  return new File([await item.getType(type)], `picture.${type.slice('image/'.length)}`, { type });
}
