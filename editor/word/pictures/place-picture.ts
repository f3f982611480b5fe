import { insertPicture } from '../commands/insert.ts';
import { roomAt } from '../view/page-layout/geometry.ts';
import type { WordEditor } from '../word-editor.ts';
import { PicturePlace } from './arriving-pictures.ts';
import { type PastedPicture, pastedSize } from './pasted-picture.ts';

/** A picture that the server has: its name in the document, and where it can be seen. */
export interface PlacedPicture {
  readonly path: string;
  readonly url: string;
  readonly alt?: string;
  /** What pasted HTML says of its size; its own unless given. */
  readonly size?: Omit<PastedPicture, 'file' | 'alt'> | undefined;
}

const ownSize = { widthPixels: null, heightPixels: null, share: null };

/**
 * Inserts a picture at the cursor, no larger than its page or cell. Whoever has kept a place for it says so.
 * @throws when the browser cannot show it, or it cannot stand there
 */
export async function placePicture(
  editor: WordEditor,
  { path, url, alt = '', size: wanted = ownSize }: PlacedPicture,
  kept?: PicturePlace,
): Promise<void> {
  const place = kept ?? new PicturePlace(editor);
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
export async function sizeOf(url: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return { width: image.naturalWidth || 300, height: image.naturalHeight || 200 };
}
