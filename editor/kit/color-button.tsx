import { ChevronDown } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ColorPalette, type PaletteProps, type SwatchGroup } from './color-palette.tsx';
import { Popover } from './popover.tsx';
import './color-button.css';

interface ColorButtonProps extends Omit<PaletteProps, 'groups'> {
  label: string;
  children: ComponentChildren;
  groups: () => readonly SwatchGroup[];
  disabled?: boolean;
}

/** A button that opens a palette. The line under its icon is the colour in effect. */
export function ColorButton({ label, children, groups, disabled = false, ...palette }: ColorButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const choose = (value: string | null) => {
    setOpen(false);
    // The swatch that has the focus goes.
    button.current?.focus();
    palette.onChoose(value);
  };
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
        <span class="color-icon" style={{ '--swatch': palette.css ?? 'transparent' }}>
          {children}
        </span>
        <ChevronDown size={12} />
      </button>
      {open && (
        <Popover anchor={button.current!} label={label} onClose={() => setOpen(false)}>
          <ColorPalette {...palette} groups={groups()} onChoose={choose} />
        </Popover>
      )}
    </>
  );
}
