import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import './toolbar.css';
import { arrowStep } from './arrow-step.ts';

interface ToolbarProps {
  label: string;
  children: ComponentChildren;
  class?: string;
  /** Escape leaves the toolbar. */
  onEscape?: () => void;
}

const controls = (toolbar: HTMLElement): HTMLElement[] =>
  [...toolbar.querySelectorAll<HTMLElement>('button, select, input')].filter(
    (control) =>
      !control.closest('[popover]') &&
      !(control as HTMLButtonElement).disabled &&
      control.offsetParent !== null,
  );

/**
 * A toolbar as the ARIA practices describe it: one stop for the Tab key, arrows, Home and End move inside.
 */
export function Toolbar({ label, children, class: extra = '', onEscape }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const lastFocused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const all = controls(bar.current!);
    const stop = all.includes(lastFocused.current!) ? lastFocused.current : all[0];
    for (const control of all) control.tabIndex = control === stop ? 0 : -1;
  });
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      class={`toolbar ${extra}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') return onEscape?.();
        const all = controls(bar.current!);
        const at = all.indexOf(document.activeElement as HTMLElement);
        if (at < 0 || document.activeElement instanceof HTMLInputElement) return;
        const step = arrowStep(event.key);
        const target =
          step === 0 ? { Home: all[0], End: all.at(-1) }[event.key] : all.at((at + step) % all.length);
        if (!target) return;
        event.preventDefault();
        target.focus();
      }}
      onFocusIn={(event) => {
        lastFocused.current = event.target as HTMLElement;
        for (const other of controls(bar.current!)) other.tabIndex = other === event.target ? 0 : -1;
      }}
    >
      {children}
    </div>
  );
}

/** A line between groups of controls. */
export const ToolbarGap = () => <span class="toolbar-gap" aria-hidden="true" />;
