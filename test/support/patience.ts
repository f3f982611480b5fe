/**
 * How long tests wait for what will come true, ms: for a message, a page, a server, a row. It costs nothing where all is well,
 * and a busy machine takes long for what takes a moment on a quiet one.
 */
export const patienceMs = 60_000;

/** The time-out of a test, ms: longer than its waits, so that what is reported is what was waited for. */
export const testTimeoutMs = 3 * patienceMs;
