import { render } from 'preact';
import { startLanguage } from '../page/language.ts';
import { App } from './app.tsx';
import { startSession } from './session.ts';
import '../theme/theme.ts';
import './admin.css';
import './texts.ts';

await Promise.all([startLanguage(), startSession()]);
render(<App />, document.getElementById('app')!);
