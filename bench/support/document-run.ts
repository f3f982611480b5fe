import path from 'node:path';
import type { Node } from 'prosemirror-model';
import type { Plugin } from 'prosemirror-state';
import { blockIds } from '../../client/word/block-ids.ts';
import { wholeFields } from '../../client/word/whole-fields.ts';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { DocxSource } from '../../converter/engines/ooxml/docx/docx-source.ts';
import { writeDocx } from '../../converter/engines/ooxml/docx/docx-writer.ts';
import { decodeXml } from '../../converter/engines/ooxml/package/xml-document.ts';
import { patchZip } from '../../converter/engines/ooxml/package/zip-patcher.ts';
import { applyChange } from '../../model/word/change.ts';
import type { WordDocumentJson } from '../../model/word/document.ts';
import { FieldPairs } from '../../model/word/fields/field-pairs.ts';
import { type DocumentCheck, documentChecks, type WrittenDocument } from './document-checks.ts';

/** A document of another program, opened, with what is wrong with it from the beginning. */
export class DocumentRun {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly source: DocxSource;
  readonly #before = new Map<DocumentCheck, ReadonlyMap<string, number>>();
  #json: WordDocumentJson | undefined;

  /** @throws ConversionError for a file that is refused */
  constructor(file: string, bytes: Uint8Array) {
    this.file = path.basename(file);
    this.bytes = bytes;
    this.source = DocxSource.open(bytes);
  }

  get hasFields(): boolean {
    return this.source.map.fieldMarks.length > 0;
  }

  get json(): WordDocumentJson {
    this.#json ??= openDocx(this.bytes).model();
    return this.#json;
  }

  /** What a session has in its state. @param knowsFields false for a client that knows nothing of fields */
  plugins(knowsFields = true): Plugin[] {
    const { doc, map } = this.source;
    const pairs = new FieldPairs(doc, map.fieldMarks);
    return [...(knowsFields ? [wholeFields(pairs)] : []), blockIds('bench')];
  }

  write(doc: Node): WrittenDocument {
    const { package: opened, xml, runs } = this.source;
    const { parts } = writeDocx(this.source, doc, () => undefined);
    const main = parts.get(opened.mainPart);
    const text = main ? decodeXml(main).text : xml.text;
    const isXml = ([name]: [string, Uint8Array]) => /\.(?:xml|rels)$/.test(name) && name !== opened.mainPart;
    return {
      doc,
      rx: runs.extras,
      xml: text,
      otherParts: new Map([...parts].filter(isXml).map(([name, part]) => [name, decodeXml(part).text])),
      bytes: patchZip(opened.archive, parts),
      hasTypedOver: placeholdersIn(text) < placeholdersIn(xml.text),
    };
  }

  /** What is wrong with a document as it was written and was not before, by the checks. */
  faultsOf(written: WrittenDocument, checks = documentChecks): Map<string, string[]> {
    const found = new Map<string, string[]>();
    const isTouched = written.xml !== this.source.xml.text;
    for (const check of checks) {
      const before = new Map(check.isMended && isTouched ? [] : this.#faultsBefore(check));
      const fresh = this.#ask(check, written).filter((fault) => {
        const left = before.get(fault) ?? 0;
        if (left > 0 && check.isCounted !== false) before.set(fault, left - 1);
        return left === 0;
      });
      if (fresh.length > 0) found.set(check.name, fresh);
    }
    return found;
  }

  #faultsBefore(check: DocumentCheck): ReadonlyMap<string, number> {
    let counts = this.#before.get(check) as Map<string, number> | undefined;
    if (!counts) {
      counts = new Map();
      for (const fault of this.#ask(check, this.write(this.source.doc))) {
        counts.set(fault, (counts.get(fault) ?? 0) + 1);
      }
      this.#before.set(check, counts);
    }
    return counts;
  }

  #ask(check: DocumentCheck, written: WrittenDocument): readonly string[] {
    try {
      return check.faults(written);
    } catch (error) {
      return [`the check fails: ${error}`];
    }
  }
}

const placeholdersIn = (text: string): number => text.match(/<w:showingPlcHdr\b/g)?.length ?? 0;

/** The document after changes, as every replica makes it. @throws Error when one is skipped */
export function afterLog(doc: Node, changes: readonly string[]): Node {
  let current = doc;
  for (const change of changes) {
    const after = applyChange(current, change);
    if (typeof after === 'string') throw new Error(`a change was skipped: ${after}: ${change.slice(0, 300)}`);
    current = after;
  }
  return current;
}
