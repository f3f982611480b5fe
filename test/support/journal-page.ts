/** What the tests of the journal run in a page. */
export { IndexedDbUnsentStore } from '../../client/replica/indexed-db-unsent-store.ts';
export { WordSession } from '../../client/word/word-session.ts';
export { unsentStoreContract } from '../contract/unsent-store.ts';
