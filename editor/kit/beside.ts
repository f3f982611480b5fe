import { autoUpdate, computePosition, flip, offset, type Placement, shift, size } from '@floating-ui/dom';

/** Keeps a surface beside its anchor and on the screen, wherever the anchor goes. @returns what ends that */
export function keepBeside(anchor: HTMLElement, element: HTMLElement, placement: Placement): () => void {
  const place = async () => {
    const { x, y } = await computePosition(anchor, element, {
      placement,
      strategy: 'fixed',
      middleware: [
        offset(4),
        flip({ padding: 8 }),
        shift({ padding: 8 }),
        size({
          padding: 8,
          apply: ({ availableHeight }) => {
            element.style.maxBlockSize = `${Math.max(120, availableHeight)}px`;
          },
        }),
      ],
    });
    Object.assign(element.style, { left: `${x}px`, top: `${y}px` });
  };
  return autoUpdate(anchor, element, () => void place());
}
