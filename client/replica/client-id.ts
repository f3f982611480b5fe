const pattern = /^[A-Za-z0-9_.:-]{1,60}$/;
const randomBytes = 9;

/** An id that no other tab or session has. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(randomBytes));
  return `c${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * A client id begins the ids of new paragraphs, so it is made of what those may hold and leaves room for a number.
 * @throws TypeError when it is not
 */
export function checkClientId(clientId: string): string {
  if (!pattern.test(clientId)) {
    throw new TypeError('a client id is 1 to 60 letters, digits, or any of _ . : -');
  }
  return clientId;
}
