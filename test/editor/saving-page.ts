import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import { fetchFile } from '../support/word-editor.ts';
import type { ServerOfMany } from '../support/world-server.ts';
import type { EditorPage, EditorVisit, EditorWorld } from './editor-world.ts';

/** Opens a document of two lines. */
export function openLines(
  world: EditorWorld<ServerOfMany>,
  key: string,
  more: Partial<EditorVisit> = {},
): Promise<EditorPage> {
  const bytes = buildDocx({ paragraphs: ['First line:', 'Second line:'] });
  const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
  return world.visit({ key, user: 'ann', sourceUrl, ...more });
}

/** The text of the file that a callback names. */
export const textOf = async ({ body }: ReceivedCallback): Promise<string> => {
  const { doc } = openDocx(await fetchFile(String(body.url)));
  return doc.textBetween(0, doc.content.size, '\n');
};

/** What the details of the status say. */
export const lines = (editor: EditorPage): Promise<string[]> =>
  editor.frame.locator('.saving-details dd').allTextContents();
