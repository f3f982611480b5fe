import type { Viewer } from './viewer.ts';

/** What keys do anywhere in the page. Arrows, space and page keys scroll where the pages have the focus. */
export function pageKeys(viewer: Viewer): () => void {
  const press = (event: KeyboardEvent) => {
    const act = event.altKey ? undefined : actionOf(viewer, event);
    if (!act) return;
    event.preventDefault();
    act();
  };
  addEventListener('keydown', press);
  return () => removeEventListener('keydown', press);
}

function actionOf(viewer: Viewer, event: KeyboardEvent): (() => void) | undefined {
  const pages = viewer.pages.peek();
  if (!pages) return undefined;
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey) {
    switch (key.toLowerCase()) {
      case 'f':
        return () => viewer.find();
      case 'p':
        return () => viewer.print();
      case '+':
      case '=':
        return () => pages.zoomBy(1);
      case '-':
        return () => pages.zoomBy(-1);
      case '0':
        return () => pages.zoom(1);
      default:
        return undefined;
    }
  }
  const isInPages = target instanceof Element && target.closest('.viewer-pages') !== null;
  if (key === 'Escape' && viewer.isFinding.peek() && isInPages) {
    return () => {
      viewer.isFinding.value = false;
    };
  }
  if (!isInPages) return undefined;
  if (key === 'Home') return () => pages.goTo(1);
  return key === 'End' ? () => pages.goTo(pages.pageCount) : undefined;
}
