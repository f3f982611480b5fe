import { useId } from 'preact/hooks';
import { arrowStep } from './arrow-step.ts';
import './color-palette.css';

export interface Swatch {
  /** What `onChoose` is given. */
  readonly value: string;
  /** Colour to show, as CSS has it. */
  readonly css: string;
  readonly name: string;
}

/** Colours that stand together. */
export interface SwatchGroup {
  readonly label?: string;
  /** How many stand in a row; 8 unless given. */
  readonly columns?: number;
  readonly swatches: readonly Swatch[];
}

export interface PaletteProps {
  groups: readonly SwatchGroup[];
  /** The value in effect, or null for none. */
  current: string | null;
  /** The colour in effect, as CSS has it; null for none. */
  css: string | null;
  /** Text of the choice of no colour. */
  noneLabel: string;
  /** Text of the choice of any other colour, which is given as `RRGGBB`; without it there is none. */
  otherLabel?: string | undefined;
  onChoose: (value: string | null) => void;
}

/** Colours to choose from. */
export function ColorPalette({ groups, current, css, noneLabel, otherLabel, onChoose }: PaletteProps) {
  return (
    <>
      <button type="button" class="button color-none" onClick={() => onChoose(null)}>
        {noneLabel}
      </button>
      {groups.map((group, index) => (
        <Swatches key={index} group={group} current={current} onChoose={onChoose} />
      ))}
      {otherLabel && (
        <label class="color-other">
          {otherLabel}
          <input
            type="color"
            value={css ?? '#000000'}
            onChange={(event) => onChoose(event.currentTarget.value.slice(1).toUpperCase())}
          />
        </label>
      )}
    </>
  );
}

interface SwatchesProps extends Pick<PaletteProps, 'current' | 'onChoose'> {
  group: SwatchGroup;
}

/** One stop for the Tab key; arrows, Home and End move inside. */
function Swatches({ group, current, onChoose }: SwatchesProps) {
  const { label, columns = 8, swatches } = group;
  const id = useId();
  const first = Math.max(
    0,
    swatches.findIndex(({ value }) => value === current),
  );
  return (
    <>
      {label && (
        <span id={id} class="swatches-label">
          {label}
        </span>
      )}
      <div
        class="swatches"
        role="group"
        aria-labelledby={label && id}
        style={{ gridTemplateColumns: `repeat(${columns}, 24px)` }}
        onKeyDown={(event) => {
          const all = [...event.currentTarget.querySelectorAll('button')];
          const at = all.indexOf(document.activeElement as HTMLButtonElement);
          const places: Readonly<Record<string, number>> = {
            ...{ Home: 0, End: all.length - 1, ArrowDown: at + columns, ArrowUp: at - columns },
          };
          const step = arrowStep(event.key);
          const target = all[step === 0 ? (places[event.key] ?? -1) : at + step];
          if (!target) return;
          event.preventDefault();
          target.focus();
        }}
      >
        {swatches.map(({ value, css, name }, index) => (
          <button
            key={value}
            type="button"
            class="swatch"
            style={{ background: css }}
            aria-label={name}
            title={name}
            aria-pressed={value === current}
            data-first={index === first || undefined}
            tabIndex={index === first ? 0 : -1}
            onClick={() => onChoose(value)}
          />
        ))}
      </div>
    </>
  );
}
