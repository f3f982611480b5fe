/** A cell: row and column from 0. */
export type Cell = readonly [row: number, column: number];

const SHAPE = /<v:shape\b(?:"[^"]*"|'[^']*'|[^>"'])*>[\s\S]*?<\/v:shape>/g;
const SHAPE_TYPE =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';

/** A drawing of old (VML) for notes, where there is none. */
export const EMPTY_NOTE_SHAPES = `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">${SHAPE_TYPE}</xml>`;

interface NoteChanges {
  /** Where a note that was at a cell is now; null where it is no more; undefined where nothing changed. */
  readonly moved: (cell: Cell) => Cell | null | undefined;
  readonly added: readonly Cell[];
}

/**
 * The boxes in which notes are shown, after notes have moved, gone and come. Programs write this form of drawing as text that
 * need not be XML, so it is changed as text.
 */
export function changedNoteShapes(text: string, { moved, added }: NoteChanges): string {
  const kept = text.replace(SHAPE, (shape) => {
    if (!/ObjectType\s*=\s*["']Note["']/.test(shape)) return shape;
    const [row, column] = [numberIn(shape, 'Row'), numberIn(shape, 'Column')];
    if (row === undefined || column === undefined) return shape;
    const place = moved([row, column]);
    if (place === undefined) return shape;
    return place === null ? '' : movedShape(shape, [row, column], place);
  });
  const ids = [...kept.matchAll(/\bid="_x0000_s(\d{1,9})"/g)].map(([, id]) => Number(id));
  let next = Math.max(1024, ...ids) + 1;
  const shapes = added.map((cell) => newShape(cell, next++)).join('');
  const end = kept.lastIndexOf('</xml>');
  return shapes === '' || end < 0 ? kept : kept.slice(0, end) + shapes + kept.slice(end);
}

function numberIn(shape: string, name: string): number | undefined {
  const number = new RegExp(`<x:${name}>\\s*(\\d{1,7})\\s*</x:${name}>`).exec(shape)?.[1];
  return number === undefined ? undefined : Number(number);
}

function movedShape(shape: string, from: Cell, to: Cell): string {
  const by = [to[1] - from[1], 0, to[0] - from[0], 0];
  return shape
    .replace(/(<x:Row>)[^<]*/, `$1${to[0]}`)
    .replace(/(<x:Column>)[^<]*/, `$1${to[1]}`)
    .replace(/(<x:Anchor>)([^<]*)/, (_match, tag: string, anchor: string) => {
      const numbers = anchor.split(',').map(Number);
      if (numbers.length !== 8 || numbers.some(Number.isNaN)) return tag + anchor;
      return tag + numbers.map((number, index) => Math.max(0, number + by[index % 4]!)).join(', ');
    });
}

function newShape([row, column]: Cell, id: number): string {
  const anchor = [column + 1, 15, Math.max(0, row - 1), 10, column + 3, 15, row + 3, 4].join(', ');
  return `<v:shape id="_x0000_s${id}" type="#_x0000_t202" style="position:absolute;margin-left:60pt;margin-top:2pt;width:108pt;height:60pt;z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"/><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`;
}
