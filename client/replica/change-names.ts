/** The name of a change: whose it is, and which of theirs. A change keeps it however often it is rebased or resent. */
export interface ChangeName {
  readonly clientId: string;
  readonly number: number;
}

export function sameName(one: ChangeName, other: ChangeName): boolean {
  return one.number === other.number && one.clientId === other.clientId;
}

const clientIdPattern = /^[A-Za-z0-9_.:-]{1,60}$/;
const clientIdBytes = 9;

/** An id that no other tab or session has. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(clientIdBytes));
  return `c${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * A client id begins the ids of new elements, so it is made of what those may hold and leaves room for a number.
 * @throws TypeError when it is not
 */
export function checkClientId(clientId: string): string {
  if (!clientIdPattern.test(clientId)) {
    throw new TypeError('a client id is 1 to 60 letters, digits, or any of _ . : -');
  }
  return clientId;
}

/** Names the changes of one client, in the order in which they are made. */
export class OwnNames {
  readonly clientId: string;
  #next = 0;

  constructor(clientId: string) {
    this.clientId = clientId;
  }

  next(): ChangeName {
    return { clientId: this.clientId, number: this.#next++ };
  }

  /** A name that the log has: if it is of this client, it is not given again. */
  seen({ clientId, number }: ChangeName): void {
    if (clientId === this.clientId) this.#next = Math.max(this.#next, number + 1);
  }
}

/**
 * How far the changes of each client are known. Clients send in the order of their numbers, so a number at or below
 * the highest that was seen is stored, or was dropped on the way there.
 */
export class SeenNames {
  readonly #highest = new Map<string, number>();

  add({ clientId, number }: ChangeName): void {
    this.#highest.set(clientId, Math.max(number, this.#highest.get(clientId) ?? -1));
  }

  has({ clientId, number }: ChangeName): boolean {
    return number <= (this.#highest.get(clientId) ?? -1);
  }
}
