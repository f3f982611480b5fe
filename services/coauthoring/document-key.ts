const keyPattern = /^[0-9A-Za-z\-._=]{1,240}$/;

/** Whether a text may be a document key (integration API, sections 2.1 and 4.2). */
export function isDocumentKey(text: unknown): text is string {
  return typeof text === 'string' && keyPattern.test(text);
}
