import { computed, signal } from '@preact/signals';

const phone = matchMedia('(max-width: 28rem)');
const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});
const chosen = signal<boolean | null>(null);

/** The paper is as wide as the window, so that text is read on a phone without moving sideways. */
export const reflows = computed(() => chosen.value ?? isPhone.value);

export function chooseReflow(on: boolean): void {
  chosen.value = on;
}
