/**
 * What goes into the queries of links and callbacks so that a load balancer finds the node of a document again (integration
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
