import type { Node } from 'prosemirror-model';
import { XmlDocument } from '../../converter/engines/ooxml/xml-document.ts';
import { fieldsOf } from '../../test/support/field-reader.ts';

/** A document and the main part that it was written as. */
export interface WrittenDocument {
  readonly doc: Node;
  /** Text of the main part. */
  readonly xml: string;
}

/** Something that has to hold of every document that is written. */
export interface DocumentCheck {
  readonly name: string;
  /** Whether a file that is written anew has to be right where the one before was not. */
  readonly isMended: boolean;
  /** What does not hold, each told in a few words; none when all is well. */
  faults(written: WrittenDocument): readonly string[];
}

/** Characters of which a file has elements, and white space, which it may leave out. */
const NOT_COMPARED = /[\s\u00ad\u2011]/g;

const invalidXml: DocumentCheck = {
  name: 'invalid XML',
  isMended: false,
  faults({ xml }) {
    try {
      new XmlDocument(xml);
      return [];
    } catch (error) {
      return [String(error)];
    }
  },
};

const unbalancedFields: DocumentCheck = {
  name: 'fields unbalanced',
  isMended: true,
  faults: ({ xml }) => (fieldsOf(xml).isBalanced ? [] : ['a half of a field, or an instruction of none']),
};

/** Text of the model that programs do not show which know fields: struck text is none. */
const hiddenText: DocumentCheck = {
  name: 'text hidden',
  isMended: false,
  faults({ doc, xml }) {
    const shown = fieldsOf(xml).paragraphs.join('').replace(NOT_COMPARED, '');
    const hidden: string[] = [];
    let from = 0;
    doc.descendants((node) => {
      if (!node.isText || node.marks.some(({ type }) => type.name === 'del')) return;
      const text = node.text!.replace(NOT_COMPARED, '');
      const at = shown.indexOf(text, from);
      if (at < 0) hidden.push(node.text!.slice(0, 60));
      else from = at + text.length;
    });
    return hidden;
  },
};

/** To be extended: each is asked about every document as it was opened and after every change. */
export const documentChecks: readonly DocumentCheck[] = [invalidXml, unbalancedFields, hiddenText];
