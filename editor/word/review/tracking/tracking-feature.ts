import { effect } from '@preact/signals';
import { keydownHandler } from 'prosemirror-keymap';
import { Plugin } from 'prosemirror-state';
import type { Feature } from '../../word-editor.ts';
import { authorProperty } from '../author-color.ts';
import { breakMarks } from './break-marks.ts';
import { stepOver } from './over-marks.ts';
import { revisionParser } from './revision-parser.ts';

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
