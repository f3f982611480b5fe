/**
 * In the place of the texts of PDF.js, of which this page shows none: labels are set from the texts of the interface. As
 * much of its interface as its viewer calls.
 */
export const ownLabels = {
  getLanguage: () => document.documentElement.lang,
  getDirection: () => document.documentElement.dir,
  get: async () => '',
  translate: async () => undefined,
  translateOnce: async () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  destroy: async () => undefined,
} as never;
