import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import { insertPicture } from '../commands/picture.ts';
import { roomAt } from '../view/page-layout/geometry.ts';
import type { ViewedDocument } from '../view/viewed-document.ts';
import { UploadPlaceholder } from './picture-feature.ts';

/** Uploads pictures and inserts them where the cursor is now. Says what cannot be inserted, and why. */
export async function insertPictureFiles(
  editor: ViewedDocument,
  files: readonly File[],
  alt = '',
): Promise<void> {
  const place = new UploadPlaceholder(editor);
  try {
    for (const file of files) await insertPictureFile(editor, file, alt, place);
  } finally {
    place.release();
  }
}

/** Uploads pictures of pasted HTML and inserts each where it stands there, in the size that it has there. */
export async function insertPastedPictures(
  editor: ViewedDocument,
  pictures: readonly (PastedPicture & { readonly at: number })[],
): Promise<void> {
  const places = pictures.map(({ at }) => new UploadPlaceholder(editor, at));
  for (const [index, { file, alt, ...size }] of pictures.entries()) {
    const place = places[index]!;
    await insertPictureFile(editor, file, alt, place, size);
    place.release();
  }
}

async function insertPictureFile(
  editor: ViewedDocument,
  file: File,
  alt: string,
  place: UploadPlaceholder,
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

/** A picture that the server has: its name in the document, and where it can be seen. */
interface PlacedPicture {
  readonly path: string;
  readonly url: string;
  readonly alt?: string;
  /** What pasted HTML says of its size; its own unless given. */
  readonly size?: Omit<PastedPicture, 'file' | 'alt'> | undefined;
}

const ownSize = { widthPixels: null, heightPixels: null, share: null };

/**
 * Inserts a picture at the cursor, no larger than its page or cell. `kept` is the placeholder of a picture that has one already.
 * @throws when the browser cannot show it, or it cannot stand there
 */
export async function placePicture(
  editor: ViewedDocument,
  { path, url, alt = '', size: wanted = ownSize }: PlacedPicture,
  kept?: UploadPlaceholder,
): Promise<void> {
  const place = kept ?? new UploadPlaceholder(editor);
  try {
    const natural = await sizeOf(url);
    const { state } = editor.session;
    const at = place.position ?? state.selection.to;
    const { width, height } = pastedSize(wanted, natural, roomAt(state, at, editor.document.sections));
    const size = { widthPixels: width, heightPixels: height };
    if (!editor.role.canEdit || !editor.run(insertPicture(at, { src: path, ...size, alt }))) {
      throw new Error('a picture cannot stand here');
    }
  } finally {
    if (!kept) place.release();
  }
}

/** CSS pixels. @throws when the browser cannot show what is at the address */
async function sizeOf(url: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return { width: image.naturalWidth || 300, height: image.naturalHeight || 200 };
}

/** A picture that pasted HTML holds, with the size that the HTML gives it. */
export interface PastedPicture {
  readonly file: File;
  readonly alt: string;
  /** CSS pixels; null where the HTML says nothing of it. */
  readonly widthPixels: number | null;
  readonly heightPixels: number | null;
  /** Of the column's width; null where the width is none. */
  readonly share: number | null;
}

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The size that the HTML means: a side of which it says nothing follows the other. Nothing may be larger than the room. */
export function pastedSize(
  { widthPixels, heightPixels, share }: Omit<PastedPicture, 'file' | 'alt'>,
  natural: PixelSize,
  room: PixelSize,
): PixelSize {
  const ratio = natural.height / natural.width;
  const wantedWidth = share === null ? widthPixels : share * room.width;
  const width = wantedWidth ?? (heightPixels === null ? natural.width : heightPixels / ratio);
  const height = heightPixels ?? width * ratio;
  const scale = Math.min(1, room.width / width, room.height / height);
  return { width: width * scale, height: height * scale };
}
