import { startPage } from '../shell/page-app.tsx';
import { CellApp } from './app.tsx';
import { CellKind } from './cell-kind.ts';

await startPage(new CellKind(), (editor) => <CellApp editor={editor} />);
