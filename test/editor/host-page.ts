import { afterAll, beforeAll } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

/** What the events of this name told the page. */
export const named = async (editor: EditorPage, name: string) =>
  (await editor.events()).filter((event) => event.name === name).map(({ data }) => data);

/** The same, when there are as many. */
export const seen = (editor: EditorPage, name: string, count: number) =>
  eventually(
    () => named(editor, name),
    (all) => all.length >= count,
  );

/** Pages with a document of a chapter, a bookmark and much between, for the suite that calls it. */
export function hostPages() {
  let world: EditorWorld;
  let source = '';

  beforeAll(async () => {
    if (!hasBrowser) return;
    world = await EditorWorld.open();
    const bookmark =
      '<w:p><w:bookmarkStart w:id="7" w:name="target"/><w:r><w:t>The target paragraph</w:t></w:r><w:bookmarkEnd w:id="7"/></w:p>';
    source = world.world.integrator.serve('host.docx', {
      bytes: buildDocx({
        paragraphs: [
          { text: 'Chapter one', style: 'Heading1' },
          'First paragraph',
          ...Array.from({ length: 60 }, (_, index) => `Filler ${index}`),
        ],
        body: `${bookmark}<w:p><w:r><w:t>The end</w:t></w:r></w:p>`,
      }),
    });
  });
  afterAll(() => world?.close());

  const visit = (more: Partial<EditorVisit> = {}): Promise<EditorPage> =>
    world.visit({ key: newName('host'), user: 'ann', sourceUrl: source, ...more });

  return {
    visit,
    /** Once the suite has begun, as `source` is. */
    get world(): EditorWorld {
      return world;
    },
    get source(): string {
      return source;
    },
  };
}
