import { followKeys } from '../shell/actions.ts';
import type { Viewer } from './viewer.ts';

/** Binds keys. Arrows, space and page keys scroll by themselves where the pages have the focus. Returns how to stop. */
export function viewerKeys(viewer: Viewer): () => void {
  const pages = () => viewer.pages.peek();
  /** What keys do as soon as there are pages; in the pages alone where `isInside`. */
  const act = (run: () => void, { isInside = false, isPossible = (): boolean => true } = {}) => {
    return () => {
      const isHere = !isInside || document.activeElement?.closest('.viewer-pages');
      if (!pages() || !isHere || !isPossible()) return false;
      run();
      return true;
    };
  };
  const larger = act(() => pages()?.zoomBy(1));
  return followKeys({
    'Mod-f': act(() => viewer.find()),
    'Mod-p': act(() => viewer.print()),
    'Mod-+': larger,
    'Mod-=': larger,
    'Mod--': act(() => pages()?.zoomBy(-1)),
    'Mod-0': act(() => pages()?.zoom(1)),
    Home: act(() => pages()?.goTo(1), { isInside: true }),
    End: act(() => pages()?.goTo(pages()!.pageCount), { isInside: true }),
    Escape: act(
      () => {
        viewer.dialog.value = null;
      },
      { isInside: true, isPossible: () => viewer.dialog.peek() === 'find' },
    ),
  });
}
