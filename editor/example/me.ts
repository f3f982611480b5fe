import { computed, signal } from '@preact/signals';
import type { Person } from '../../example/api.ts';
import { remember, remembered } from '../page/remembered.ts';
import { people, personOf } from './settings.ts';

const chosen = signal(remembered('person') ?? 'ann');

/** Who sits in front of the page. */
export const me = computed<Person | undefined>(() => personOf(chosen.value) ?? people()[0]);

export const mayEdit = computed(() => me.value?.role === 'edit');

/** Goes on as another account, also after a reload. */
export function become(id: string): void {
  chosen.value = id;
  remember('person', id);
}
