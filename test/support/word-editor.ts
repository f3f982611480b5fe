import { strFromU8, unzipSync } from 'fflate';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { encodeChange } from '../../model/word/change.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import { buildDocx } from './docx-fixture.ts';
import type { RawClient, Sent } from './raw-client.ts';
import type { SharedScene, SignedIn } from './scene.ts';

/** The docx that editors of the word model open unless a test gives another. */
export const wordBase = buildDocx({
  paragraphs: ['First', 'Second'],
  parts: { 'customXml/item1.xml': '<kept  as = "it is"/>' },
});

/** Somebody who edits the word model by hand-made messages. */
export interface WordEditor extends SignedIn {
  doc: Node;
}

/** The `auth` fields of an editor of the word model. */
export function wordEditor(
  scene: SharedScene,
  key: string,
  name = 'base.docx',
  bytes: Uint8Array = wordBase,
): Sent {
  const url = scene.integrator.serve(name, { bytes });
  return { openCmd: { c: 'open', id: key, format: 'docx', url, title: name, model: 'word' } };
}

/** Somebody opens a document in the word model; `beside` is an editor who is in already and lets the newcomer in. */
export async function joinWord(
  scene: SharedScene,
  key: string,
  user: string,
  beside?: RawClient,
  changes: Sent = {},
): Promise<WordEditor> {
  const asked = { ...wordEditor(scene, key), ...changes };
  const signedIn = beside
    ? await scene.joinBeside(beside, key, user, asked)
    : await scene.join(key, user, asked);
  return { ...signedIn, doc: await openedDocument(signedIn.client) };
}

/** The document that a client of the word model was given when it opened it. */
export async function openedDocument(client: RawClient): Promise<Node> {
  const opened = client.received.find((message) => message.type === 'documentOpen')!;
  const files = opened.data.data as Record<string, string>;
  return parseWordDocument(await (await fetch(files['Editor.bin']!)).json()).doc;
}

/** A change that puts text at the end of a paragraph. */
export function append(
  client: string,
  doc: Node,
  paragraph: number,
  text: string,
): { change: string; doc: Node } {
  let at = 0;
  for (let index = 0; index <= paragraph; index += 1) at += doc.child(index).nodeSize;
  const transform = new Transform(doc).insert(at - 1, doc.type.schema.text(text));
  return { change: encodeChange(client, transform.steps[0]!), doc: transform.doc };
}

/** The texts of the paragraphs of a docx. */
export function paragraphsOf(docx: Uint8Array): string[] {
  const xml = strFromU8(unzipSync(docx)['word/document.xml']!);
  return xml
    .split('</w:p>')
    .slice(0, -1)
    .map((paragraph) => [...paragraph.matchAll(/<w:t[^>]*>([^<]*)/g)].map(([, text]) => text).join(''));
}

/** The file behind a link. */
export async function fetchFile(url: unknown): Promise<Uint8Array> {
  const response = await fetch(String(url));
  if (!response.ok) throw new Error(`The file could not be fetched: status ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
