import { type ReadonlySignal, signal } from '@preact/signals';

/** What is told of the numbers that are selected besides their sum and average, if somebody wants it. */
export const sumChoices = ['numbers', 'minimum', 'maximum'] as const;
export type SumChoice = (typeof sumChoices)[number];

const storageKey = 'quire-sums';
const chosen = signal<ReadonlySet<SumChoice>>(new Set(stored()));

/** Which of these this person has chosen; kept by the browser. */
export const chosenSums: ReadonlySignal<ReadonlySet<SumChoice>> = chosen;

/** Chooses one, or no longer. */
export function toggleSum(name: SumChoice): void {
  const now = new Set(chosen.peek());
  if (!now.delete(name)) now.add(name);
  chosen.value = now;
  try {
    localStorage.setItem(storageKey, [...now].join(' '));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function stored(): SumChoice[] {
  try {
    const names = localStorage.getItem(storageKey)?.split(' ') ?? [];
    return sumChoices.filter((name) => names.includes(name));
  } catch {
    return [];
  }
}
