import { Check } from 'lucide-preact';
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Popover } from './popover.tsx';
import './menu.css';

export type MenuEntry =
  | {
      readonly label: string;
      readonly run: () => void;
      readonly shortcut?: string | undefined;
      readonly icon?: ComponentChildren;
      readonly disabled?: boolean;
      /** Given for entries that are on or off. */
      readonly checked?: boolean;
    }
  | 'separator';

interface MenuProps {
  label: string;
  anchor: HTMLElement;
  entries: readonly MenuEntry[];
  onClose: () => void;
}

/** A menu as the ARIA practices describe it: arrows, Home, End, first letters, Enter, Escape. */
export function Menu({ label, anchor, entries, onClose }: MenuProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => items(list.current!)[0]?.focus(), []);
  return (
    <Popover anchor={anchor} onClose={onClose} label={label} role="menu">
      <div
        ref={list}
        role="presentation"
        class="menu"
        onKeyDown={(event) => move(event, list.current!, onClose)}
      >
        {entries.map((entry, index) =>
          entry === 'separator' ? (
            <hr key={index} />
          ) : (
            <button
              key={entry.label}
              type="button"
              role={entry.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked={entry.checked}
              aria-disabled={entry.disabled || undefined}
              tabIndex={-1}
              onClick={() => {
                if (entry.disabled) return;
                onClose();
                // What is run may move the focus on; it must not be left on an entry that is gone.
                anchor.focus();
                entry.run();
              }}
            >
              <span class="menu-icon">{entry.checked ? <Check size={16} /> : entry.icon}</span>
              <span class="menu-label">{entry.label}</span>
              {entry.shortcut && <kbd>{entry.shortcut}</kbd>}
            </button>
          ),
        )}
      </div>
    </Popover>
  );
}

const items = (list: HTMLElement): HTMLButtonElement[] => [...list.querySelectorAll('button')];

function move(event: TargetedKeyboardEvent<HTMLElement>, list: HTMLElement, onClose: () => void): void {
  const all = items(list);
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  const target = () => {
    switch (event.key) {
      case 'ArrowDown':
        return all[(at + 1) % all.length];
      case 'ArrowUp':
        return all[(at - 1 + all.length) % all.length];
      case 'Home':
        return all[0];
      case 'End':
        return all.at(-1);
      default:
        return startingWith(all, at, event.key);
    }
  };
  if (event.key === 'Tab') onClose();
  else {
    const next = target();
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}

function startingWith(all: readonly HTMLButtonElement[], at: number, key: string) {
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  return after.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
}

interface MenuButtonProps {
  label: string;
  children: ComponentChildren;
  entries: () => readonly MenuEntry[];
  class?: string;
  disabled?: boolean;
}

/** A button that opens a menu. */
export function MenuButton({
  label,
  children,
  entries,
  class: extra = '',
  disabled = false,
}: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        class={`menu-button ${extra}`}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        disabled={disabled}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </button>
      {open && (
        <Menu label={label} anchor={button.current!} entries={entries()} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
