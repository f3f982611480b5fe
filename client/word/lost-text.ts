import type { Node } from 'prosemirror-model';
import { Mapping, type Step } from 'prosemirror-transform';

/**
 * The text that some of a sequence of steps put into a document, as it stands after all of them.
 * @param doc the document after the last step
 * @param lost indexes of the steps in question
 */
export function textOfSteps(doc: Node, steps: readonly Step[], lost: ReadonlySet<number>): string {
  const later = new Mapping(steps.map((step) => step.getMap()));
  const ranges: { from: number; to: number }[] = [];
  for (const at of lost) {
    const rest = later.slice(at + 1);
    steps[at]!.getMap().forEach((_oldStart, _oldEnd, start, end) => {
      const [from, to] = [rest.map(start, 1), rest.map(end, -1)];
      if (from < to) ranges.push({ from, to });
    });
  }
  ranges.sort((one, other) => one.from - other.from);
  const merged: typeof ranges = [];
  for (const { from, to } of ranges) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged
    .map(({ from, to }) => doc.textBetween(from, to, '\n'))
    .filter((text) => text.trim() !== '')
    .join('\n');
}
