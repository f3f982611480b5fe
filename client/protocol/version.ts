/** What is announced to clients and integrators: the level of the protocol, not our own version. */
export const protocolVersion = { version: '9.3.0', build: 140 } as const;

/**
 * Rises with each version in which a change comes to another document than it did before (`model/`): a page that was loaded before that
 * would show something else than everybody else has.
 */
const rules = 4;

/** What tells pages and servers of ours apart. */
export const ownVersion = `${protocolVersion.version}.${protocolVersion.build}.${rules}`;
