import type { Rollup } from 'vite';

/** What rollup tells of the modules that it has found. */
type Modules = Pick<Rollup.ManualChunkMeta, 'getModuleInfo'>;

/** Pages by which modules are put together: the name of the folder that a page is in. */
const pageOf = (id: string) => /\/editor\/(\w+)\/(?:index\.html|main\.tsx?)$/.exec(id)?.[1];

/**
 * Which pages need a module before they show anything (`first`), and which by way of an `import()` only (`later`).
 */
interface Users {
  readonly first: ReadonlySet<string>;
  readonly later: ReadonlySet<string>;
}

const known = new WeakMap<object, Map<string, Users>>();

function usersOf(id: string, { getModuleInfo }: Modules): Users {
  const of = (start: string, withLater: boolean): Set<string> => {
    const pages = new Set<string>();
    const seen = new Set([start]);
    for (const at of seen) {
      const page = pageOf(at);
      if (page) pages.add(page);
      const info = getModuleInfo(at);
      for (const importer of info?.importers ?? []) seen.add(importer);
      if (withLater) for (const importer of info?.dynamicImporters ?? []) seen.add(importer);
    }
    return pages;
  };
  const perBuild = known.get(getModuleInfo) ?? new Map<string, Users>();
  known.set(getModuleInfo, perBuild);
  const users = perBuild.get(id) ?? { first: of(id, false), later: of(id, true) };
  perBuild.set(id, users);
  return users;
}

/**
 * Puts what pages need at first into few files, which compress better than many and are kept by browsers from page to page:
 * what every page has, what every page with a document has, what the editors have, and what each editor has alone. Everything
 * else, above all what is loaded later, is left to rollup.
 */
export function sharedChunks(id: string, modules: Modules): string | undefined {
  // The code of a page itself stays apart: while it waits, what is loaded later may need the rest.
  if (pageOf(id)) return undefined;
  const { first, later } = usersOf(id, modules);
  // What only warms the browser's cache up is to be small.
  if (first.size === 0) return undefined;
  if (first.has('preload')) return 'loading';
  if (['admin', 'example', 'wopi'].some((page) => first.has(page)))
    return ['word', 'cell', 'viewer'].some((page) => first.has(page)) ? 'page' : undefined;
  if (first.has('viewer') && (first.has('word') || first.has('cell'))) return 'document';
  // What one page has at first and another one later stands apart, or the latter would load, and run, all of the former's. Left to
  // rollup it would not: a file takes in whatever its modules need that is assigned nowhere.
  if (first.size !== later.size) return `${[...first].toSorted().join('-')}-parts`;
  if (first.has('word') && first.has('cell')) return 'editing';
  return [...first][0];
}
