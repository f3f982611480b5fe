import { startPage } from '../shell/page-app.tsx';
import { WordApp } from './app.tsx';
import { WordKind } from './word-kind.ts';

await startPage(new WordKind(), (editor) => <WordApp editor={editor} />);
