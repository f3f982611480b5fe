const keyPattern = /^(?!\.{1,2}$)[0-9A-Za-z\-._=]{1,240}$/;

/** Whether a text may be a document key (integration API, sections 2.1 and 4.2). `.` and `..` have no address of their own. */
export function isDocumentKey(text: unknown): text is string {
  return typeof text === 'string' && keyPattern.test(text);
}
