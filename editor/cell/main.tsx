import { startPage } from '../shell/page-app.tsx';
import { CellApp } from './app.tsx';
import { CellKind } from './cell-kind.ts';
import { orderPainting } from './desk/paint-first.ts';
import './texts.ts';

orderPainting();
await startPage(new CellKind(), (editor) => <CellApp editor={editor} />);
