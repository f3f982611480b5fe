import type { Stroke } from '../../../model/cell/chart.ts';
import type { Drawing } from '../../../model/cell/items.ts';
import { mixed, readableOn } from '../grid/colors.ts';
import { cssColor } from '../shown/sheet-colors.ts';

const pxPerPoint = 96 / 72;
/** Points, where a text says no size. */
const usualSize = 11;
const corners: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    ellipse: '50%',
    roundRect: '14%',
    flowChartTerminator: '50%',
  }),
);

interface ShapeBoxProps {
  readonly drawing: Drawing;
  readonly theme: readonly string[] | undefined;
  readonly zoom: number;
  /** Said where it has no text. */
  readonly name: string;
}

/** A shape as a box, an oval or a line in its colours, with its text. Other outlines are shown as boxes. */
export function ShapeBox({ drawing: { look = {}, text = '' }, theme, zoom, name }: ShapeBoxProps) {
  const { shape = 'rect', fill, stroke } = look;
  if (/^line|[Cc]onnector/.test(shape))
    return <LineBox stroke={stroke} theme={theme} zoom={zoom} name={name} />;
  const background = cssColor(fill ?? undefined, theme);
  const line = cssColor(stroke?.color, theme);
  const color = cssColor(look.textColor, theme) ?? (background === null ? undefined : readableOn(background));
  const justify = { left: 'start', center: 'center', right: 'end' }[look.align ?? 'left'];
  return (
    <div
      class="shape-box"
      {...(text === '' && { role: 'img', 'aria-label': name })}
      style={{
        background: background ?? undefined,
        border: line === null || stroke?.none ? '0' : `${widthOf(stroke, zoom)}px ${styleOf(stroke)} ${line}`,
        borderRadius: corners.get(shape),
        color: color ?? undefined,
        fontSize: `${(look.textSize ?? usualSize) * pxPerPoint * zoom}px`,
        fontWeight: look.bold ? 'bold' : undefined,
        alignItems: { top: 'start', center: 'center', bottom: 'end' }[look.vertical ?? 'top'],
        justifyContent: justify,
        textAlign: look.align ?? 'left',
      }}
    >
      <span>{text}</span>
    </div>
  );
}

interface LineBoxProps extends Omit<ShapeBoxProps, 'drawing'> {
  readonly stroke: Stroke | undefined;
}

/** From the upper left to the lower right; mirrored it goes the other way. */
function LineBox({ stroke, theme, zoom, name }: LineBoxProps) {
  const color = cssColor(stroke?.color, theme) ?? mixed('#000000', '#ffffff', 0.4);
  return (
    <svg class="shape-line" role="img" aria-label={name} preserveAspectRatio="none">
      <line x1="0" y1="0" x2="100%" y2="100%" stroke={color} stroke-width={widthOf(stroke, zoom)} />
    </svg>
  );
}

const widthOf = (stroke: Stroke | undefined, zoom: number): number =>
  Math.max(1, (stroke?.width ?? 0.75) * pxPerPoint * zoom);

const styleOf = ({ dash = '' }: Stroke = {}): string =>
  dash === '' ? 'solid' : /dot$/i.test(dash) && !/dash/i.test(dash) ? 'dotted' : 'dashed';
