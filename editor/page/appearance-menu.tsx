import { Languages } from 'lucide-preact';
import { MenuButton } from '../kit/menu.tsx';
import { currentLanguage, languages, type StringKey, t } from '../strings/strings.ts';
import { chooseTheme, type ThemeChoice, themeChoice } from '../theme/theme.ts';
import { chooseLanguage, languageName } from './language.ts';

const themes: readonly (readonly [ThemeChoice, StringKey])[] = [
  ['system', 'common.themeSystem'],
  ['light', 'common.themeLight'],
  ['dark', 'common.themeDark'],
  ['contrast', 'common.themeContrast'],
];

/** Language and colours of the page, and of the editors that it opens. */
export function AppearanceMenu() {
  const entries = () => [
    ...languages.map((code) => ({
      label: languageName(code),
      checked: code === currentLanguage(),
      run: () => void chooseLanguage(code),
    })),
    'separator' as const,
    ...themes.map(([choice, key]) => ({
      label: t(key),
      checked: choice === themeChoice.value,
      run: () => chooseTheme(choice),
    })),
  ];
  return (
    <MenuButton class="quiet-button" label={t('common.appearance')} entries={entries}>
      <Languages size={18} aria-hidden="true" />
    </MenuButton>
  );
}
