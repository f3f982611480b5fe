import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import { insertPicture } from '../commands/insert.ts';
import type { WordEditor } from '../word-editor.ts';

/** 15 twips to the CSS pixel. */
const twipsPerPixel = 15;

/** Uploads pictures and inserts them at the cursor, no wider than the text. Says what cannot be inserted, and why. */
export async function insertPictureFiles(
  editor: WordEditor,
  files: readonly File[],
  alt = '',
): Promise<void> {
  for (const file of files) {
    try {
      const { width, height } = await sizeOf(file);
      const { path } = await editor.session.uploadPicture(file);
      const scale = Math.min(1, columnWidthPixels(editor) / width);
      editor.run(
        insertPicture({
          src: path,
          widthPixels: width * scale,
          heightPixels: height * scale,
          alt: alt || nameOf(file),
        }),
      );
      announce(t('pictures.inserted', { name: file.name }));
    } catch (error) {
      notify({ text: t(reasonOf(error), { name: file.name }), kind: 'error' });
    }
  }
}

/** CSS pixels. @throws when the browser cannot show the file */
async function sizeOf(file: File): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    return { width: image.naturalWidth || 300, height: image.naturalHeight || 200 };
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** Width of the text of the last section. */
function columnWidthPixels(editor: WordEditor): number {
  const section = editor.document.sections.at(-1);
  if (!section) return 600;
  return Math.max(96, (section.width - section.marginLeft - section.marginRight) / twipsPerPixel);
}

const nameOf = (file: File): string => file.name.replace(/\.[^.]*$/, '').slice(0, 200);

function reasonOf(error: unknown): StringKey {
  const code = (error as { code?: unknown }).code;
  if (code === 'too-large') return 'pictures.tooLarge';
  if (code === 'network') return 'pictures.noConnection';
  if (code === 'not-allowed') return 'pictures.notAllowed';
  return 'pictures.notAPicture';
}
