import { signal } from '@preact/signals';

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
export function addressOf(target: Route): string {
  if (target.page === 'list') return '.';
  const query = new URLSearchParams({ document: target.id });
  if (target.beside) query.set('with', target.beside);
  if (target.version) query.set('version', String(target.version));
  return `?${query}`;
}

export function documentRoute(id: string, more: { beside?: string | null; version?: number } = {}): Route {
  return { page: 'document', id, beside: more.beside ?? null, version: more.version ?? null };
}

/** Shows something else, as a step that the browser's back button undoes. */
export function go(target: Route): void {
  history.pushState(null, '', addressOf(target));
  route.value = target;
  scrollTo(0, 0);
}
