/** What `quire convert` ends with. */
export const exitCodes = { made: 0, someFailed: 1, usage: 2, engineMissing: 3, interrupted: 130 } as const;
