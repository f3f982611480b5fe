import { render } from 'preact';
import { startLanguage } from '../page/language.ts';
import { App } from './app.tsx';
import '../theme/theme.ts';
import './example.css';
import './texts.ts';
import { server } from './server.ts';
import { takeSettings } from './settings.ts';

await Promise.all([startLanguage(), loadSettings()]);
render(<App />, document.getElementById('app')!);

const retryMs = 2_000;

/** Asks for the settings until they are there. Resolves after the first attempt. */
async function loadSettings(): Promise<void> {
  try {
    takeSettings(await server.settings());
  } catch {
    setTimeout(() => void loadSettings(), retryMs);
  }
}
