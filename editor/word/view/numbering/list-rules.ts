import type { WordDocumentJson, WordListLevel } from '../../../../model/word/document.ts';
import { className, cssRule, type Declarations } from '../style/declarations.ts';
import { runCss } from '../style/run-css.ts';
import { layer } from '../style/style-rules.ts';
import { twipsToPt } from '../style/units.ts';
import { fontOf, type ListPlace } from './list-counter.ts';
import { type ListDefinitions, newListKind } from './list-definitions.ts';
import { isSymbolFont } from './symbol-fonts.ts';

const kinds = ['bullet', 'decimal', 'alpha', 'roman', 'outline'] as const;

/** Class of the look of a label: lists of one kind share theirs. */
export function labelClass(place: ListPlace): string {
  return className('l', lookOf(place));
}

/** Class of the indents that a list gives to paragraphs which name it themselves. */
export function indentClass(place: ListPlace): string {
  return className('i', lookOf(place));
}

function lookOf({ listId, level }: ListPlace): string {
  const kind = newListKind(listId);
  return kind ? `new-${kind}-${level}` : `${listId}-${level}`;
}

/** Rules for the labels and indents of all levels of all lists. */
export function listRules(
  lists: WordDocumentJson['lists'],
  definitions: ListDefinitions,
  scope: string,
): string {
  let rules = '';
  for (const { id, levels } of lists) {
    for (const level of levels) rules += levelRules({ listId: id, level: level.level }, level, scope);
  }
  for (const kind of kinds) {
    for (let level = 0; level < 9; level++) {
      const place = { listId: `new-${kind}-0`, level };
      rules += levelRules(place, definitions.level(place.listId, level)!, scope);
    }
  }
  return layer('word-list', rules);
}

function levelRules(place: ListPlace, level: WordListLevel, scope: string): string {
  const indent: Declarations = {};
  if (level.indentLeft !== null) indent['margin-inline-start'] = twipsToPt(level.indentLeft);
  if (level.indentFirst !== null) indent['text-indent'] = twipsToPt(level.indentFirst);
  return (
    cssRule(`${scope} .${indentClass(place)}`, indent) +
    cssRule(`${scope} .${labelClass(place)}::before`, labelCss(level))
  );
}

function labelCss({ run, suffix, indentFirst }: WordListLevel): Declarations {
  const { font, highlight: _highlight, ...rest } = run;
  const look = runCss(font && !isSymbolFont(fontOf(run)) ? { ...rest, font } : rest, 'paragraph');
  const { '--style-ink': ink, '--line': _line, ...css } = look;
  if (ink !== undefined) css.color = ink;
  if (suffix === 'tab')
    css['min-inline-size'] = indentFirst !== null && indentFirst < 0 ? twipsToPt(-indentFirst) : '18pt';
  else css['margin-inline-end'] = suffix === 'space' ? '0.25em' : '0';
  return css;
}
