/** Somebody who came or went, as the integrator knows them. */
export interface Visitor {
  /** The integrator's own id of the user. */
  userId: string;
  /** The callback address that came with this user's opening. */
  callbackUrl: string | null;
  /** Address under which this user's browser reaches the server. */
  baseUrl: string;
  /** What that browser's address says for load balancers; null where it says nothing. */
  routing: Routing | null;
}

/**
 * What has to happen around a document when people come and go. Nothing here may hold up an editor: callbacks about joining
 * and leaving are sent in the background.
 */
export interface DocumentLifecycle {
  /** An editor is in. `editors` are the distinct ids of all who edit now. */
  editorJoined(key: string, visitor: Visitor, editors: readonly string[]): void;

  /** An editor left and others stay. */
  editorLeft(key: string, visitor: Visitor, editors: readonly string[]): void;

  /**
   * Nobody edits any more. Resolves when it is stored (state `idle` or `closing`), so that a crash from here on cannot
   * orphan the document. `now`: the editor closed the document itself, so there is no grace period.
   */
  lastEditorLeft(key: string, visitor: Visitor, now: boolean): Promise<void>;

  /**
   * Takes the document back for an editor that another node may not have seen when its last editor left. Resolves with
   * whether it is open.
   */
  editorIsBack(key: string): Promise<boolean>;
}

/**
 * What goes into the queries of links so that a load balancer finds the node of a document again (integration
 * API, section 14).
 */
export interface Routing {
  /** The document's key, of the integration API. */
  shardkey?: string;
  /** The address of the file, of WOPI. */
  WOPISrc?: string;
  /** The user's session, of WOPI. */
  usid?: string;
}
