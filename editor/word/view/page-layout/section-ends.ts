import { type Plugin, PluginKey } from 'prosemirror-state';
import type { WordSection } from '../../../../model/word/document.ts';
import { t } from '../../../strings/strings.ts';
import { type SequenceState, sequenceDecorations } from '../sequence-decorations.ts';
import { sectionEndClass } from './geometry.ts';

const key = new PluginKey<SequenceState<number>>('section-ends');

/** Marks the blocks that end a section: a line is drawn there, and later blocks take the next section's width. */
export function sectionEnds(sections: readonly WordSection[]): Plugin {
  const ends = new Map(sections.map(({ lastBlock }, index) => [lastBlock, index]));
  return sequenceDecorations<number>({
    key,
    read: (node) =>
      node.type.name === 'doc' || node.attrs.id == null ? null : (ends.get(node.attrs.id) ?? null),
    descends: () => false,
    same: (one, other) => one === other,
    label: (all) =>
      all.map((index) => ({
        class: `section-end ${sectionEndClass(index)}`,
        'data-section': t('view.sectionBreak'),
      })),
  });
}
