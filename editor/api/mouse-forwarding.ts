import type { Send } from './methods.ts';

/** Tells the frame of a mouse button that is released outside of it, so that what is dragged there ends. */
export class MouseForwarding {
  private readonly frame: HTMLIFrameElement;
  private readonly send: Send;

  constructor(frame: HTMLIFrameElement, send: Send) {
    this.frame = frame;
    this.send = send;
  }

  attach(): void {
    window.addEventListener('mouseup', this.released);
  }

  detach(): void {
    window.removeEventListener('mouseup', this.released);
  }

  private readonly released = ({ clientX, clientY }: MouseEvent): void => {
    const { left, top } = this.frame.getBoundingClientRect();
    this.send('processMouse', { type: 'mouseup', x: clientX - left, y: clientY - top });
  };
}
