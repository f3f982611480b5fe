import { signal } from '@preact/signals';

const polite = signal('');
const urgent = signal('');

/** Has screen readers say something, without moving the focus. `urgent` interrupts what they are saying. */
export function announce(text: string, importance: 'polite' | 'urgent' = 'polite'): void {
  const region = importance === 'urgent' ? urgent : polite;
  // The same text twice is no change, and would not be said again.
  region.value = region.value === text ? `${text}\u00a0` : text;
}

/** The live regions; once on a page. */
export function LiveRegions() {
  return (
    <>
      <div class="visually-hidden" role="status" aria-live="polite">
        {polite.value}
      </div>
      <div class="visually-hidden" role="alert" aria-live="assertive">
        {urgent.value}
      </div>
    </>
  );
}
