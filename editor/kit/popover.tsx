import { autoUpdate, computePosition, flip, offset, type Placement, shift, size } from '@floating-ui/dom';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './popover.css';

interface PopoverProps {
  /** What it belongs to: it is placed beside it, and a press on it is no press outside. */
  anchor: HTMLElement;
  onClose: () => void;
  children: ComponentChildren;
  label?: string;
  role?: 'dialog' | 'menu' | 'listbox';
  placement?: Placement;
}

/**
 * A small surface over the page that a press outside or Escape closes. Escape gives the focus back to the anchor.
 */
export function Popover(props: PopoverProps) {
  const { anchor, onClose, children, label, role = 'dialog', placement = 'bottom-start' } = props;
  const surface = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const element = surface.current!;
    // Shown in the browser's top layer: above dialogs, never cut off by what it lies in.
    element.showPopover();
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
    const stop = autoUpdate(anchor, element, () => void place());
    const outside = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!element.contains(target) && !anchor.contains(target)) close.current();
    };
    // The focus may have stayed where it was.
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close.current();
    };
    document.addEventListener('pointerdown', outside, true);
    anchor.addEventListener('keydown', closeByKey);
    return () => {
      stop();
      anchor.removeEventListener('keydown', closeByKey);
      document.removeEventListener('pointerdown', outside, true);
    };
  }, [anchor, placement]);

  return (
    <div
      ref={surface}
      class="popover"
      popover="manual"
      role={role}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
        anchor.focus();
      }}
    >
      {children}
    </div>
  );
}
