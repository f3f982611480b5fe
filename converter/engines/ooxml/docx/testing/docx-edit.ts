import { strFromU8, unzipSync } from 'fflate';
import type { Mark, Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { encodeChange } from '../../../../../model/word/change.ts';
import { wordSchema } from '../../../../../model/word/schema.ts';
import { buildDocx, type DocxFixture } from '../../../../../test/support/docx-fixture.ts';
import type { AssembleOptions } from '../../../kind-engine.ts';
import { type OpenedDocx, openDocx } from '../docx-engine.ts';
import { type AssembledDocx, assembleDocx } from './assemble-docx.ts';

/** A text node with marks. */
export const text = (content: string, ...on: Mark[]): Node => wordSchema.text(content, on);

export interface EditedDocx extends AssembledDocx {
  readonly base: Uint8Array;
  readonly parts: Readonly<Record<string, Uint8Array>>;
  /** Text of the document part. */
  readonly xml: string;
  readonly reopened: OpenedDocx;
  /** Text of any part, '' when there is none of this name. */
  part(name: string): string;
}

/** Opens a fixture, edits it, assembles, and gives what came of it. */
export function edit(
  fixture: DocxFixture,
  change: (transform: Transform) => unknown,
  options?: AssembleOptions,
): EditedDocx {
  const base = buildDocx(fixture);
  const transform = new Transform(openDocx(base).doc);
  change(transform);
  const result = assembleDocx(
    base,
    transform.steps.map((step) => encodeChange('client', step)),
    options,
  );
  if (result.skipped.length > 0) throw new Error(`skipped: ${JSON.stringify(result.skipped)}`);
  const parts = unzipSync(result.bytes);
  const part = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  return { ...result, base, parts, part, xml: part('word/document.xml'), reopened: openDocx(result.bytes) };
}

/** XML of the blocks of a document part, without its section. */
export function blocks(xml: string): string {
  return /<w:body>([\s\S]*?)<w:sectPr><w:pgSz w:w="11906"/.exec(xml)?.[1] ?? '';
}

/** Position of the first text like this. */
export function positionOf(doc: Node, wanted: string): number {
  let found = -1;
  doc.descendants((node, position) => {
    const at = node.isText ? node.text!.indexOf(wanted) : -1;
    if (found < 0 && at >= 0) found = position + at;
  });
  if (found < 0) throw new Error(`no text ${wanted}`);
  return found;
}

/** The first node of a type. */
export function blockOf(doc: Node, type: string): { node: Node; position: number } {
  let found: { node: Node; position: number } | undefined;
  doc.descendants((node, position) => {
    if (node.type.name === type) found ??= { node, position };
  });
  if (!found) throw new Error(`no ${type}`);
  return found;
}
