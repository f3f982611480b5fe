import './wopi.css';
import { useLanguage } from '../strings/strings.ts';
import { followConversion } from './conversion.ts';
import { openEditor } from './editor-page.ts';
import { showProblem } from './problem-page.ts';
import { pageData } from './server.ts';
import './texts.ts';

// Without the texts of a language the page is in English.
await useLanguage(document.documentElement.lang).catch(() => undefined);
const problem = pageData('problem');
if (problem !== null) showProblem(problem, pageData('problemDetail') ?? '');
else if (pageData('convertData') !== null) await followConversion();
else openEditor();
