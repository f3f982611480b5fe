import type { Node } from 'prosemirror-model';
import type { Step } from 'prosemirror-transform';
import { wordKind } from '../kinds.ts';
import type { KindModel } from '../log/kind-model.ts';
import { applyStep, encodeChange } from './change.ts';
import { checkpointOf, documentAt } from './checkpoint.ts';
import { parseWordDocument } from './document.ts';
import { AuthorRules } from './rights/author-rules.ts';
import { type DocumentRights, documentRights } from './rights/document-rights.ts';
import { HeldSignatures } from './rights/signatures.ts';
import { WORD_DOCUMENT_VERSION } from './version.ts';

/** The model of text documents: documents of ProseMirror in `wordSchema`, changed by its steps. */
export const wordModel: KindModel<Node, Step, DocumentRights, AuthorRules> = {
  name: wordKind.model.name,
  version: WORD_DOCUMENT_VERSION,
  parse: (value) => {
    const { doc, json } = parseWordDocument(value);
    return { doc, rights: documentRights(json) };
  },
  equals: (one, other) => one === other || one.eq(other),
  rules: (rights) => new AuthorRules(rights),
  encode: encodeChange,
  apply: applyStep,
  admit: (rules, { before, after, step, author }) => rules.take(before, after, step, author),
  checkpoint: (base, { doc, rules, log }) => checkpointOf(base, doc, { ...log, gone: rules.goneFrom(doc) }),
  documentAt: (base, value) => {
    const { doc, checkpoint } = documentAt(base.doc, value);
    const { index, digest, skipped, firstSkipped, gone } = checkpoint;
    const rules = new AuthorRules(base.rights, new HeldSignatures(gone));
    return { doc, rules, log: { index, digest, skipped, firstSkipped } };
  },
};
