/** Others have the event loop when it resolves. */
export type Turn = () => Promise<void>;

/** For work that is nobody's in particular. */
export const nextTurn: Turn = () => new Promise((resolve) => void setImmediate(resolve));
