const storageKey = 'quire-guest-id';

/** An id for somebody who has not signed in; the same each time in this browser where it allows that. */
export function guestId(): string {
  // Not randomUUID: that is there only on pages that came by https.
  const made = `uid-${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')}`;
  try {
    const stored = localStorage.getItem(storageKey);
    if (stored) return stored;
    localStorage.setItem(storageKey, made);
  } catch {
    // A frame of another site may be refused storage.
  }
  return made;
}
