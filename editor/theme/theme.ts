import { computed, effect, signal } from '@preact/signals';
import './tokens.css';

type Theme = 'light' | 'dark' | 'contrast';
export type ThemeChoice = Theme | 'system';

const storageKey = 'quire-theme';
const choices: readonly ThemeChoice[] = ['system', 'light', 'dark', 'contrast'];

function stored(): ThemeChoice | null {
  try {
    const value = localStorage.getItem(storageKey) as ThemeChoice | null;
    return value && choices.includes(value) ? value : null;
  } catch {
    // A frame of another site may be refused storage.
    return null;
  }
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const prefersContrast = matchMedia('(prefers-contrast: more)');
const system = signal(systemTheme());

function systemTheme(): Theme {
  if (prefersContrast.matches) return 'contrast';
  return prefersDark.matches ? 'dark' : 'light';
}

for (const query of [prefersDark, prefersContrast]) {
  query.addEventListener('change', () => {
    system.value = systemTheme();
  });
}

/** What the person, or else the page that embeds the editor, has chosen. */
export const themeChoice = signal<ThemeChoice>(stored() ?? 'system');

/** What is shown. */
export const shownTheme = computed<Theme>(() =>
  themeChoice.value === 'system' ? system.value : themeChoice.value,
);

effect(() => {
  document.documentElement.dataset.theme = shownTheme.value;
});

/** The person's choice, kept for the next time. */
export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.value = choice;
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** What the embedding page asks for (`customization.uiTheme`); the person's own choice comes first. */
export function suggestTheme(name: string | undefined): void {
  if (stored() || !name) return;
  if (/contrast/.test(name)) themeChoice.value = 'contrast';
  else if (/dark|night/.test(name)) themeChoice.value = 'dark';
  else if (/light|white|gray/.test(name)) themeChoice.value = 'light';
}
