/** Messages to and from one editor's frame (integration API, 3.3). */
export interface FrameChannel {
  send(command: string, data?: unknown): void;
  /** Bytes go by a way of their own: the frame takes the buffer over, and it is empty here afterwards. */
  sendBytes(command: string, bytes: Uint8Array): void;
  close(): void;
}

interface FrameMessage {
  event: string;
  data: unknown;
  frameEditorId: unknown;
}

/**
 * Listens to the frame. What another window or another origin says, or what is meant for another editor, is ignored,
 * and nothing is sent to a frame that has left the editor's origin.
 */
export function openChannel(
  frame: HTMLIFrameElement,
  frameEditorId: string,
  onEvent: (event: string, data: unknown) => void,
): FrameChannel {
  const origin = new URL(frame.src).origin;
  const receive = (message: MessageEvent): void => {
    if (!message.source || message.source !== frame.contentWindow || message.origin !== origin) return;
    const said = readMessage(message.data);
    if (said && said.frameEditorId === frameEditorId) onEvent(said.event, said.data);
  };
  window.addEventListener('message', receive);
  return {
    send: (command, data) => {
      frame.contentWindow?.postMessage(JSON.stringify({ command, data }), origin);
    },
    sendBytes: (command, bytes) => {
      const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
      frame.contentWindow?.postMessage({ command, data: whole.buffer }, origin, [
        whole.buffer as ArrayBuffer,
      ]);
    },
    close: () => window.removeEventListener('message', receive),
  };
}

/** Events are JSON text; one that carries bytes is an object. */
function readMessage(data: unknown): FrameMessage | null {
  let message = data;
  if (typeof data === 'string') {
    try {
      message = JSON.parse(data);
    } catch {
      return null;
    }
  }
  if (typeof message !== 'object' || message === null) return null;
  const said = message as FrameMessage;
  return typeof said.event === 'string' ? said : null;
}
