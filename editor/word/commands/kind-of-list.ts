import type { WordList } from '../../../model/word/document.ts';
import { NEW_LIST } from '../../../model/word/values.ts';
import type { KindOfList, ListKind } from './lists.ts';

const kindOfFormat: Readonly<Record<string, ListKind>> = {
  bullet: 'bullet',
  decimal: 'decimal',
  lowerLetter: 'alpha',
  upperLetter: 'alpha',
  lowerRoman: 'roman',
  upperRoman: 'roman',
};

/** Tells what kind of list a list is: a new one by its name, one of the file by the labels of its first levels. */
export function kindOfList(lists: readonly WordList[]): KindOfList {
  return (listId) => {
    const kind = NEW_LIST.exec(listId)?.[1] as ListKind | undefined;
    if (kind) return kind;
    const levels = lists.find(({ id }) => id === listId)?.levels ?? [];
    const labelOf = (number: number) => levels.find(({ level }) => level === number);
    const first = labelOf(0);
    if (!first) return 'other';
    const isOutline = first.format === 'decimal' && /%1.*%2/.test(labelOf(1)?.text ?? '');
    return isOutline ? 'outline' : (kindOfFormat[first.format] ?? 'other');
  };
}
