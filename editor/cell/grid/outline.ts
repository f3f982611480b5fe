import type { LineRun } from '../../../model/cell/lines.ts';

/** Rows or columns that are opened and closed together. */
export interface OutlineGroup {
  readonly from: number;
  readonly to: number;
  /** In how many groups its lines are at least: 1 for one that lies in no other. */
  readonly level: number;
  readonly isClosed: boolean;
  /** The line with its button: beside it, on the side where sums stand. */
  readonly summary: number;
}

/** The groups of one axis of a sheet. */
export interface Outline {
  /** Each before those in it. */
  readonly groups: readonly OutlineGroup[];
  /** How deep they lie in each other. */
  readonly depth: number;
}

export const noOutline: Outline = { groups: [], depth: 0 };

interface Found {
  readonly from: number;
  readonly level: number;
  readonly parent: Found | null;
  to: number;
  isHidden: boolean;
}

/**
 * The groups that lines are in. A group is closed when all of its lines are hidden: one that lies in a closed group only if its
 * button's line says so, too, since it may be open in there. Lines that somebody hid by hand close nothing as long as others of
 * their group are seen.
 * @param runs lines that say something, in order
 * @param isBefore the line with the button of a group stands before it
 * @param count how many lines there are
 */
export function outlineOf(runs: readonly LineRun[], isBefore: boolean, count: number): Outline {
  const found: Found[] = [];
  const open: Found[] = [];
  const collapsed = new Set<number>();
  let last = -2;
  for (const [first, length, line] of runs) {
    const level = line.level ?? 0;
    if (line.collapsed) for (let at = first; at < first + length; at++) collapsed.add(at);
    open.length = Math.min(open.length, first === last + 1 ? level : 0);
    while (open.length < level) {
      const parent = open.at(-1) ?? null;
      const group = { from: first, to: first, level: open.length + 1, parent, isHidden: true };
      open.push(group);
      found.push(group);
    }
    last = first + length - 1;
    for (const group of open) {
      group.to = last;
      if (!line.hidden) group.isHidden = false;
    }
  }
  const groups = found.map(({ from, to, level, parent, isHidden }): OutlineGroup => {
    const isFirst = isBefore ? from > 0 : to === count - 1;
    const summary = isFirst ? from - 1 : to + 1;
    const isClosed = isHidden && (!parent?.isHidden || collapsed.has(summary));
    return { from, to, level, isClosed, summary };
  });
  return { groups, depth: groups.reduce((depth, { level }) => Math.max(depth, level), 0) };
}

/** The innermost group that a line is in, or else whose button stands on it. */
export function groupAt({ groups }: Outline, line: number): OutlineGroup | null {
  const inside = groups.findLast(({ from, to }) => line >= from && line <= to);
  return inside ?? groups.find(({ summary }) => summary === line) ?? null;
}
