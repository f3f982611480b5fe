import type { ComponentChildren, JSX } from 'preact';
import './button.css';

type ButtonAttributes = Omit<JSX.IntrinsicElements['button'], 'icon' | 'label'>;

interface ButtonProps extends ButtonAttributes {
  kind?: 'plain' | 'primary' | 'danger';
  children: ComponentChildren;
}

/** A button with text. */
export function Button({ kind = 'plain', class: extra = '', ...rest }: ButtonProps) {
  return <button type="button" {...rest} class={`button button-${kind} ${extra}`} />;
}

interface IconButtonProps extends ButtonAttributes {
  /** Its name for screen readers and its tooltip. */
  label: string;
  /** Shown in the tooltip, e.g. `Ctrl+B`. */
  shortcut?: string | undefined;
  children: ComponentChildren;
}

/** A button that shows only an icon. With `aria-pressed` it is a toggle. */
export function IconButton({ label, shortcut, class: extra = '', ...rest }: IconButtonProps) {
  const title = shortcut ? `${label} (${shortcut})` : label;
  return <button type="button" aria-label={label} title={title} {...rest} class={`icon-button ${extra}`} />;
}
