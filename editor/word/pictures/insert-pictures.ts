import { ownSize, sizeInRoom, sizeOfPicture, type WantedSize } from '../../shell/pictures/picture-size.ts';
import { describedByName, uploadPicture } from '../../shell/pictures/upload-pictures.ts';
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
    for (const file of files) {
      await uploadPicture(editor.session, file, (picture) =>
        placePicture(editor, { ...picture, alt: alt || describedByName(file) }, place),
      );
    }
  } finally {
    place.release();
  }
}

/** A picture that pasted HTML holds, with the size that the HTML gives it. */
export interface PastedPicture extends WantedSize {
  readonly file: File;
  readonly alt: string;
}

/** Uploads pictures of pasted HTML and inserts each where it stands there, in the size that it has there. */
export async function insertPastedPictures(
  editor: ViewedDocument,
  pictures: readonly (PastedPicture & { readonly at: number })[],
): Promise<void> {
  const places = pictures.map(({ at }) => new UploadPlaceholder(editor, at));
  for (const [index, { file, alt, ...size }] of pictures.entries()) {
    const place = places[index]!;
    await uploadPicture(editor.session, file, (picture) =>
      placePicture(editor, { ...picture, alt, size }, place),
    );
    place.release();
  }
}

/** A picture that the server has: its name in the document, and where it can be seen. */
interface PlacedPicture {
  readonly path: string;
  readonly url: string;
  readonly alt?: string;
  /** What pasted HTML says of its size; its own unless given. */
  readonly size?: WantedSize;
}

/**
 * Inserts a picture at the cursor, no larger than its page or cell. `kept` is the placeholder of a picture that has one already.
 * @returns true
 * @throws when the browser cannot show it, or it cannot stand there
 */
export async function placePicture(
  editor: ViewedDocument,
  { path, url, alt = '', size: wanted = ownSize }: PlacedPicture,
  kept?: UploadPlaceholder,
): Promise<boolean> {
  const place = kept ?? new UploadPlaceholder(editor);
  try {
    const natural = await sizeOfPicture(url);
    const { state } = editor.session;
    const at = place.position ?? state.selection.to;
    const { width, height } = sizeInRoom(wanted, natural, roomAt(state, at, editor.document.sections));
    const size = { widthPixels: width, heightPixels: height };
    if (!editor.role.canEdit || !editor.run(insertPicture(at, { src: path, ...size, alt }))) {
      throw new Error('a picture cannot stand here');
    }
    return true;
  } finally {
    if (!kept) place.release();
  }
}
