import { type EditorState, TextSelection } from 'prosemirror-state';
import { positionOf } from '../../converter/engines/ooxml/docx/testing/docx-edit.ts';

const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

/** XML of an instruction of a field, or of what is a part of one. */
export const fieldCode = (text: string): string =>
  `<w:r><w:instrText xml:space="preserve"> ${text} </w:instrText></w:r>`;

/** XML of the end of a field. */
export const fieldEnd = char('end');

/** XML of what stands before the result of a field. */
export const fieldSeparate = char('separate');

/** XML of a field as far as into its instruction. */
export const fieldStart = (instruction: string): string => char('begin') + fieldCode(instruction);

/** XML of a field as far as its result. */
export const fieldHead = (instruction: string): string => fieldStart(instruction) + fieldSeparate;

export const fieldRun = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

export const fieldParagraph = (...content: readonly string[]): string => `<w:p>${content.join('')}</w:p>`;

/** A table of contents: it begins in its first paragraph and ends in one that is empty. */
export const contentsField: string = [
  fieldParagraph(fieldRun('Before')),
  fieldParagraph(fieldHead('TOC'), fieldRun('One')),
  fieldParagraph(fieldRun('Two')),
  fieldParagraph(fieldEnd),
  fieldParagraph(fieldRun('After')),
].join('');

/** The state with what is between two texts selected, from the beginning of the first to the end of the other. */
export function selectTexts(state: EditorState, first: string, last: string): EditorState {
  const from = positionOf(state.doc, first);
  const to = positionOf(state.doc, last) + last.length;
  return state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));
}
