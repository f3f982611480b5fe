import type { JSX } from 'preact';
import { addressOf, go, type Route } from './route.ts';

export interface LinkProps extends Omit<JSX.IntrinsicElements['a'], 'href'> {
  to: Route;
  /** How to get there; at once unless given. */
  through?: (to: Route) => void;
}

/** A link within the example: a plain click stays on the page, every other opens it as the browser does. */
export function Link({ to, through = go, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={addressOf(to)}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        through(to);
      }}
    />
  );
}
