import type { DOMOutputSpec, Mark } from 'prosemirror-model';
import { authorColor } from './author-color.ts';
import { changeTitle } from './change-title.ts';
import './revision-marks.css';

/** How a tracked change of text is drawn. */
export function revisionSpec({ type, attrs }: Mark): DOMOutputSpec {
  const { author, date } = attrs;
  return [
    type.name,
    {
      class: `revised revised-${type.name}`,
      style: `--author: ${authorColor(author)}`,
      'data-revision': JSON.stringify(attrs),
      title: changeTitle(type.name === 'ins' ? 'insertion' : 'deletion', author, date),
      ...(date !== null && { datetime: date }),
    },
    0,
  ];
}
