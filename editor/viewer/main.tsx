import { startPage } from '../shell/page-app.tsx';
import { ViewerApp } from './app.tsx';
import { ViewerKind } from './viewer-kind.ts';

await startPage(new ViewerKind(), (viewer) => <ViewerApp key={viewer} viewer={viewer} />);
