import { InputRule, inputRules } from 'prosemirror-inputrules';
import type { Plugin } from 'prosemirror-state';
import { wordSchema } from '../../../model/word/schema.ts';
import { listPlace } from '../view/numbering/list-labels.ts';
import type { WordEditor } from '../word-editor.ts';
import { kindOfList } from './kind-of-list.ts';
import { type ListKind, toggleList } from './lists.ts';

/** A beginning such as `1. ` or `- ` makes the paragraph a list. */
function listRule(pattern: RegExp, kind: ListKind, editor: WordEditor): InputRule {
  return new InputRule(pattern, (state, _match, start, end) => {
    const $start = state.doc.resolve(start);
    if ($start.parent.type !== wordSchema.nodes.paragraph || listPlace($start.parent, editor.styles))
      return null;
    const deletion = state.tr.delete(start, end);
    let result = deletion;
    toggleList(
      kind,
      kindOfList(editor.document.lists),
      editor.styles,
    )(state.apply(deletion), (listing) => {
      for (const step of listing.steps) result = result.step(step);
    });
    return result;
  });
}

/** What typing turns into something else; Backspace right after it takes that back. */
export function typingRules(editor: WordEditor): Plugin {
  return inputRules({
    rules: [
      listRule(/^[-*•]\s$/, 'bullet', editor),
      listRule(/^1[.)]\s$/, 'decimal', editor),
      listRule(/^a[.)]\s$/, 'alpha', editor),
      listRule(/^i[.)]\s$/, 'roman', editor),
    ],
  });
}
