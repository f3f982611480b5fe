import type { Transaction } from 'prosemirror-state';

/** Takes over everything of a transaction but its steps and its selection. */
export function retell(tr: Transaction, given: Transaction): Transaction {
  // The list of what was said with a transaction is missing from the typings.
  const { meta } = given as unknown as { meta: Readonly<Record<string, unknown>> };
  for (const [key, value] of Object.entries(meta)) tr.setMeta(key, retold(value, given, tr));
  if (given.storedMarksSet) tr.setStoredMarks(given.storedMarks);
  if (given.scrolledIntoView) tr.scrollIntoView();
  return tr.setTime(given.time);
}

/** Input rules remember the transaction that they made, to undo it. */
function retold(value: unknown, given: Transaction, tr: Transaction): unknown {
  const isAbout = typeof value === 'object' && value !== null && 'transform' in value;
  return isAbout && value.transform === given ? { ...value, transform: tr } : value;
}
