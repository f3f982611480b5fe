import type { Placement } from '@floating-ui/dom';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { laterPart } from './later.tsx';
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

const placing = laterPart(() => import('./beside.ts'));

/** Below its anchor, or above it where there is more room: until the part that places it better is there. */
function putBelow(anchor: HTMLElement, element: HTMLElement): void {
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const [above, below] = [top - 12, innerHeight - bottom - 12];
  const isAbove = height > below && above > below;
  const room = Math.max(120, isAbove ? above : below);
  const x = Math.max(8, Math.min(left, innerWidth - width - 8));
  Object.assign(element.style, {
    left: `${x}px`,
    top: `${isAbove ? top - 4 - Math.min(height, room) : bottom + 4}px`,
    maxBlockSize: `${room}px`,
  });
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
    let stop = () => {};
    let isOpen = true;
    const keep = ({ keepBeside }: typeof import('./beside.ts')) => {
      if (isOpen) stop = keepBeside(anchor, element, placement);
    };
    if (placing.loaded) keep(placing.loaded);
    else {
      putBelow(anchor, element);
      // Without it the surface is where it is now.
      placing.load().then(keep, () => undefined);
    }
    const outside = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!element.contains(target) && !anchor.contains(target)) close.current();
    };
    // The focus may have stayed where it was.
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      // A dialog that it lies over stays open.
      event.preventDefault();
      close.current();
    };
    document.addEventListener('pointerdown', outside, true);
    anchor.addEventListener('keydown', closeByKey);
    return () => {
      isOpen = false;
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
        event.preventDefault();
        onClose();
        anchor.focus();
      }}
    >
      {children}
    </div>
  );
}
