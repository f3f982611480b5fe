import { effect } from '@preact/signals';
import { keydownHandler } from 'prosemirror-keymap';
import { DOMParser, type ParseRule } from 'prosemirror-model';
import { type Command, Plugin, TextSelection } from 'prosemirror-state';
import { wordSchema } from '../../../../model/word/schema.ts';
import { authorProperty } from '../../../shell/people/byline.ts';
import type { Feature } from '../../word-editor.ts';
import { isBesideText } from './revision.ts';
import { breakMarks } from './revision-marks.ts';

/** Records what this person changes, and shows the changes of all. */
export const trackingFeature: Feature = (editor) => {
  const { review } = editor;
  const overInvisible = keydownHandler({
    Backspace: stepOver('backward'),
    'Mod-Backspace': stepOver('backward'),
    Delete: stepOver('forward'),
    'Mod-Delete': stepOver('forward'),
  });
  return [
    breakMarks(),
    new Plugin({
      props: { handleKeyDown: overInvisible, domParser: revisionParser() },
      view: ({ dom }) => {
        const stops = [
          effect(() => {
            const desk = dom.closest<HTMLElement>('.desk');
            if (desk) desk.dataset.review = review.display.value;
          }),
          effect(() => {
            const { style } = document.documentElement;
            for (const { name, color } of editor.presence.people.value) {
              style.setProperty(authorProperty(name), color);
            }
          }),
        ];
        return {
          destroy: () => {
            for (const stop of stops) stop();
          },
        };
      },
    }),
  ];
};

/**
 * Moves the cursor over comments and anchors, which nobody sees, so that the key that deletes takes the letter behind
 * them. Leaves that to the next in line.
 */
function stepOver(direction: 'backward' | 'forward'): Command {
  return (state, dispatch) => {
    const { selection, doc } = state;
    if (!selection.empty || !(selection instanceof TextSelection)) return false;
    let at = selection.head;
    for (;;) {
      const $at = doc.resolve(at);
      const node = direction === 'backward' ? $at.nodeBefore : $at.nodeAfter;
      if (!node?.isInline || !isBesideText(node)) break;
      at += direction === 'backward' ? -node.nodeSize : node.nodeSize;
    }
    if (at !== selection.head) dispatch?.(state.tr.setSelection(TextSelection.create(doc, at)));
    return false;
  };
}

/**
 * Reads what the browser has made of the text after a key, where it may have copied or moved the elements of tracked
 * changes. What is pasted is read by another parser.
 */
function revisionParser(): DOMParser {
  const rule = (mark: 'ins' | 'del'): ParseRule => ({
    tag: `${mark}[data-revision]`,
    mark,
    getAttrs: (element) => readRevision(element.getAttribute('data-revision')),
  });
  return new DOMParser(wordSchema, [rule('ins'), rule('del'), ...DOMParser.fromSchema(wordSchema).rules]);
}

function readRevision(json: string | null): Record<string, unknown> | false {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return false;
  }
}
