import { afterAll, beforeAll } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { newName } from '../support/new-name.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

/** Where pictures of the pages are left, for people to look at. */
const shots = process.env.SCREENSHOTS_DIR;

export const count = (editor: EditorPage, selector: string) => editor.frame.locator(selector).count();
export const shot = async (editor: EditorPage, name: string) => {
  if (shots) await editor.page.screenshot({ path: `${shots}/H-${name}.png` });
};

/** Pages that wish for a look of the editor, for the suite that calls it. */
export function lookPages() {
  let world: EditorWorld;
  let source = '';

  beforeAll(async () => {
    if (!hasBrowser) return;
    world = await EditorWorld.open();
    source = world.world.integrator.serve('look.docx', {
      bytes: buildDocx({ paragraphs: [{ text: 'A title', style: 'Heading1' }, 'Some text to look at'] }),
    });
  });
  afterAll(() => world?.close());

  const visit = (more: Partial<EditorVisit> = {}): Promise<EditorPage> =>
    world.visit({ key: newName('look'), user: 'ann', sourceUrl: source, ...more });
  const customized = (customization: object, more: Partial<EditorVisit> = {}) =>
    visit({ ...more, editorConfig: { customization, ...more.editorConfig } });

  return {
    visit,
    customized,
    /** Once the suite has begun, as `source` is. */
    get world(): EditorWorld {
      return world;
    },
    get source(): string {
      return source;
    },
  };
}
