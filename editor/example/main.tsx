import { render } from 'preact';
import { startLanguage } from '../page/language.ts';
import { App } from './app.tsx';
import { loadSettings } from './start.ts';
import '../theme/theme.ts';
import './example.css';

await Promise.all([startLanguage(), loadSettings()]);
render(<App />, document.getElementById('app')!);
