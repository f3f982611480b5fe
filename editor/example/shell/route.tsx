import { signal } from '@preact/signals';
import type { JSX } from 'preact';

/** What the page shows, as its address says. */
export type Route =
  | { page: 'list' }
  | {
      page: 'document';
      id: string;
      /** The second account, side by side. */
      beside: string | null;
      /** An earlier version, only to look at. */
      version: number | null;
    };

function read(): Route {
  const query = new URLSearchParams(location.search);
  const id = query.get('document');
  if (!id) return { page: 'list' };
  const version = Number(query.get('version'));
  return {
    page: 'document',
    id,
    beside: query.get('with'),
    version: Number.isInteger(version) && version > 0 ? version : null,
  };
}

export const route = signal<Route>(read());
addEventListener('popstate', () => {
  route.value = read();
});

/** The address that shows something. */
function addressOf(target: Route): string {
  if (target.page === 'list') return '.';
  const query = new URLSearchParams({ document: target.id });
  if (target.beside) query.set('with', target.beside);
  if (target.version) query.set('version', String(target.version));
  return `?${query}`;
}

/** The route to a document. */
export function documentRoute(id: string, more: { beside?: string | null; version?: number } = {}): Route {
  return { page: 'document', id, beside: more.beside ?? null, version: more.version ?? null };
}

/** Shows something else, as a step that the browser's back button undoes. */
export function go(target: Route): void {
  history.pushState(null, '', addressOf(target));
  route.value = target;
  scrollTo(0, 0);
}

interface LinkProps extends Omit<JSX.IntrinsicElements['a'], 'href'> {
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
