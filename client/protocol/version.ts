/** What is announced to clients and integrators: the level of the protocol, not our own version. */
export const protocolVersion = { version: '9.3.0', build: 140 } as const;
