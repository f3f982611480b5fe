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

/** What stays as it was when a page is opened anew. */
export interface RefreshWish {
  chat: boolean;
  /** By which a balancer finds the session. */
  usid: string | null;
}

/** A page of a WOPI host opened anew: the members of the answer to `wopi_RefreshFile` (co-authoring protocol, 13.2). */
export interface RefreshedPage {
  key: string;
  token: string;
  userAuth: object;
  fileInfo: object;
}

/** A source that was fetched into a file. */
export interface FetchedSource {
  hash: string;
  sizeBytes: number;
}

/** An address where the bytes of a source may be had. */
export interface SourcePlace {
  url: string;
  headers: Record<string, string>;
  /** The operator or a token vouches for the address, so it may be a private one. */
  vouched: boolean;
}

/** The content of a source: bytes that this server has made, or places in the order in which they are tried. */
export type HostedContent = { bytes: Uint8Array } | { places: readonly SourcePlace[] };

/**
 * A storage that we call, instead of one that hands out addresses and is called back: a WOPI host (integration API,
 * section 13).
 */
export interface HostStorage {
  /** Whether a document key belongs to a file of a host; such a document is entered in no other way. */
  owns(key: string): Promise<boolean>;
  /** Resolves when a save of the document that is on its way was taken, or after a while. */
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
  /** What somebody's session for a document opens; null when there is no such session. */
  contentOf(key: string, sessionId: string): Promise<HostedContent | null>;
  /**
   * What the host says now of the file of a session, for an editor of that person who opens it anew; null when it says
   * nothing or has nobody's session.
   */
  refresh(address: string, wish: RefreshWish): Promise<RefreshedPage | null>;
  /** Delivers a save. The participants are warned of failures as well. */
  deliver(save: SaveRow): Promise<CallbackOutcome>;
  /** Renames the file at its host and sends everybody in the document the new title. `name` has no extension. */
  rename(address: string, name: string): Promise<{ ok: true; name: string } | { ok: false; reason: string }>;
}
