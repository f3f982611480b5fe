import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Drawing } from '../../../model/cell/items.ts';
import { type ColorStep, colorSteps } from './picture-colors.ts';

export interface RecoloredPictureProps {
  readonly url: string;
  readonly name: string;
  readonly style: JSX.CSSProperties | undefined;
  readonly recolored: NonNullable<Drawing['recolored']>;
  readonly theme: readonly string[] | undefined;
}

/** A picture in other colours than those of its file. */
export function RecoloredPicture({ url, name, style, recolored, theme }: RecoloredPictureProps) {
  const id = useId();
  return (
    <>
      <svg width="0" height="0" style={{ position: 'absolute' }} aria-hidden="true">
        <filter id={id} x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">
          {colorSteps(recolored, theme).map((step, at) => (
            <FilterStep key={at} step={step} />
          ))}
        </filter>
      </svg>
      <img src={url} alt={name} draggable={false} style={{ ...style, filter: `url(#${id})` }} />
    </>
  );
}

function FilterStep({ step }: { readonly step: ColorStep }) {
  switch (step.kind) {
    case 'gray':
      return <feColorMatrix type="saturate" values="0" />;
    case 'opacity':
      return (
        <feComponentTransfer>
          <feFuncA type="linear" slope={step.part} />
        </feComponentTransfer>
      );
    case 'line': {
      const line = { type: 'linear', slope: step.slope, intercept: step.intercept } as const;
      return (
        <feComponentTransfer>
          <feFuncR {...line} />
          <feFuncG {...line} />
          <feFuncB {...line} />
        </feComponentTransfer>
      );
    }
    case 'between': {
      const [red, green, blue] = step.ends.map(
        (ends) => ({ type: 'table', tableValues: ends.join(' ') }) as const,
      );
      return (
        <feComponentTransfer>
          <feFuncR {...red} />
          <feFuncG {...green} />
          <feFuncB {...blue} />
        </feComponentTransfer>
      );
    }
  }
}
