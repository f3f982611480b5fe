import { ChevronDown } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Popover } from './popover.tsx';
import './color-button.css';

export interface Swatch {
  /** What `onChoose` is given. */
  readonly value: string;
  /** Colour to show, as CSS has it. */
  readonly css: string;
  readonly name: string;
}

interface ColorButtonProps {
  label: string;
  children: ComponentChildren;
  swatches: readonly Swatch[];
  /** The value in effect, or null for none. */
  current: string | null;
  /** Text of the choice of no colour. */
  noneLabel: string;
  /** Text of the choice of any other colour; without it there is none. */
  otherLabel?: string;
  onChoose: (value: string | null) => void;
  disabled?: boolean;
}

/** A button that opens a palette. The line under its icon is the colour in effect. */
export function ColorButton(props: ColorButtonProps) {
  const { label, children, swatches, current, noneLabel, otherLabel, onChoose, disabled = false } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const choose = (value: string | null) => {
    setOpen(false);
    onChoose(value);
  };
  const shown =
    swatches.find(({ value }) => value === current)?.css ?? (current ? `#${current}` : 'transparent');
  return (
    <>
      <button
        ref={button}
        type="button"
        class="menu-button color-button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={label}
        title={label}
        disabled={disabled}
        onClick={() => setOpen(!open)}
      >
        <span class="color-icon" style={{ '--swatch': shown }}>
          {children}
        </span>
        <ChevronDown size={12} />
      </button>
      {open && (
        <Popover anchor={button.current!} label={label} onClose={() => setOpen(false)}>
          <button type="button" class="button color-none" onClick={() => choose(null)}>
            {noneLabel}
          </button>
          <div class="swatches">
            {swatches.map(({ value, css, name }) => (
              <button
                key={value}
                type="button"
                class="swatch"
                style={{ background: css }}
                aria-label={name}
                title={name}
                aria-pressed={value === current}
                onClick={() => choose(value)}
              />
            ))}
          </div>
          {otherLabel && (
            <label class="color-other">
              {otherLabel}
              <input
                type="color"
                value={`#${current ?? '000000'}`}
                onChange={(event) => choose(event.currentTarget.value.slice(1).toUpperCase())}
              />
            </label>
          )}
        </Popover>
      )}
    </>
  );
}
