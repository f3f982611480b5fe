/** The name of a change: whose it is, and which of theirs. A change keeps it however often it is rebased or resent. */
export interface StepName {
  readonly clientId: string;
  readonly number: number;
}

export function sameName(one: StepName, other: StepName): boolean {
  return one.number === other.number && one.clientId === other.clientId;
}

/**
 * How far the changes of each client are known. Clients send in the order of their numbers, so a number at or below
 * the highest that was seen is stored, or was dropped on the way there.
 */
export class SeenNumbers {
  readonly #highest = new Map<string, number>();

  add(clientId: string, number: number | null): void {
    if (number !== null) this.#highest.set(clientId, Math.max(number, this.highest(clientId)));
  }

  /** -1 before the first. */
  highest(clientId: string): number {
    return this.#highest.get(clientId) ?? -1;
  }

  has({ clientId, number }: StepName): boolean {
    return number <= this.highest(clientId);
  }
}
