import type { SharedValueStore } from '../../platform/adapters/shared-coordination.ts';

/** The lists of a store, for another one that differs in how it puts values. */
export const listsOf = (store: SharedValueStore): Omit<SharedValueStore, 'compareAndPut'> => ({
  append: (...entry) => store.append(...entry),
  entries: (...list) => store.entries(...list),
  clear: (...list) => store.clear(...list),
});
