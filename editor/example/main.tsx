import { render } from 'preact';
import { App } from './app.tsx';
import { startLanguage } from './shell/language.ts';
import { loadSettings } from './start.ts';
import '../theme/theme.ts';
import './example.css';

await Promise.all([startLanguage(), loadSettings()]);
render(<App />, document.getElementById('app')!);
