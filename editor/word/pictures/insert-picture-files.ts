import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';
import { PicturePlace } from './arriving-pictures.ts';
import type { PastedPicture } from './pasted-picture.ts';
import { placePicture, sizeOf } from './place-picture.ts';

/** Uploads pictures and inserts them where the cursor is now. Says what cannot be inserted, and why. */
export async function insertPictureFiles(
  editor: WordEditor,
  files: readonly File[],
  alt = '',
): Promise<void> {
  const place = new PicturePlace(editor);
  try {
    for (const file of files) await insertPictureFile(editor, file, alt, place);
  } finally {
    place.release();
  }
}

/** Uploads pictures of pasted HTML and inserts each where it stands there, in the size that it has there. */
export async function insertPastedPictures(
  editor: WordEditor,
  pictures: readonly (PastedPicture & { readonly at: number })[],
): Promise<void> {
  const places = pictures.map(({ at }) => new PicturePlace(editor, at));
  for (const [index, { file, alt, ...size }] of pictures.entries()) {
    const place = places[index]!;
    await insertPictureFile(editor, file, alt, place, size);
    place.release();
  }
}

async function insertPictureFile(
  editor: WordEditor,
  file: File,
  alt: string,
  place: PicturePlace,
  size?: Omit<PastedPicture, 'file' | 'alt'>,
): Promise<void> {
  try {
    await checkShown(file);
    const picture = await editor.session.uploadPicture(file);
    await placePicture(editor, { ...picture, alt: size ? alt : alt || nameOf(file), size }, place);
    announce(t('pictures.inserted', { name: file.name }));
  } catch (error) {
    notify({ text: t(reasonOf(error), { name: file.name }), kind: 'error' });
  }
}

/** @throws when the browser cannot show the file; nothing is sent then */
async function checkShown(file: File): Promise<void> {
  const url = URL.createObjectURL(file);
  try {
    await sizeOf(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

const nameOf = (file: File): string => file.name.replace(/\.[^.]*$/, '').slice(0, 200);

function reasonOf(error: unknown): StringKey {
  const code = (error as { code?: unknown }).code;
  if (code === 'too-large') return 'pictures.tooLarge';
  if (code === 'network') return 'pictures.noConnection';
  if (code === 'not-allowed') return 'pictures.notAllowed';
  return 'pictures.notAPicture';
}
