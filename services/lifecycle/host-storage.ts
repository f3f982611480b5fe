import type { SaveRow } from '../../db/save-row.ts';
import type { CallbackOutcome } from './integrator.ts';

const scheme = 'wopi:';

/** The address that stands for a session with a WOPI host where others have the address of a callback or a source. */
export const hostAddress = (sessionId: string): string => scheme + sessionId;

/** Whether an address stands for a session with a WOPI host. */
export const isHostAddress = (address: string | null | undefined): address is string =>
  address?.startsWith(scheme) === true;

/** The session that an address stands for. */
export const sessionIdIn = (address: string): string => address.slice(scheme.length);

/** How somebody is let into a document; `notice` is for them, in words. */
export type Admission = { mode: 'edit' } | { mode: 'view'; notice: string };

/** A source that was fetched into a file. */
export interface FetchedSource {
  hash: string;
  sizeBytes: number;
}

/**
 * A storage that we call, instead of one that hands out addresses and is called back: a WOPI host (integration API,
 * section 13).
 */
export interface HostStorage {
  /** Whether a document key belongs to a file of a host; nobody enters such a document by other ways. */
  owns(key: string): Promise<boolean>;
  /** Resolves when a save of the document that is on its way has arrived, or after a while. */
  settled(key: string): Promise<void>;
  /**
   * Before an editor enters: makes sure of the lock, and that what is opened is what the host has now. Call within the
   * document's actor.
   */
  enter(key: string, sessionId: string): Promise<Admission>;
  /** Before an editor comes back to a session: whether the lock is still, or again, ours. */
  reenter(key: string): Promise<boolean>;
  /**
   * Fetches the source of a session into a file that does not exist yet.
   * @throws DownloadError
   */
  fetch(address: string, file: string): Promise<FetchedSource>;
  /** Hands a save over; what there is to say about failures besides is said to the people inside. */
  deliver(save: SaveRow): Promise<CallbackOutcome>;
  /** Renames the file at its host and tells everybody inside. `name` has no extension. */
  rename(address: string, name: string): Promise<{ ok: true; name: string } | { ok: false; reason: string }>;
}
