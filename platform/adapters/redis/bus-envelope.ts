/** One message on a document's channel: what a node has said since its last one. */
export interface BusEnvelope {
  nodeId: string;
  /** The node said something before that could not be sent. */
  missed: boolean;
  texts: readonly string[];
}

/** `<node> <0 or 1>\n`, then each text as `<length in UTF-16 units>:<text>`: texts are long and are not encoded again. */
export function packed(nodeId: string, missed: boolean, texts: readonly string[]): string {
  let message = `${nodeId} ${missed ? 1 : 0}\n`;
  // A lone surrogate would arrive as one other character, so lengths hold for any text.
  for (const text of texts) message += `${text.length}:${text}`;
  return message;
}

/** @throws RangeError when the message is not of this form */
export function unpacked(message: string): BusEnvelope {
  const end = message.indexOf('\n');
  const space = message.lastIndexOf(' ', end);
  if (end < 0 || space < 0) throw new RangeError('A message of another form');
  const texts: string[] = [];
  for (let at = end + 1; at < message.length; ) {
    const colon = message.indexOf(':', at);
    const length = Number(message.slice(at, colon));
    if (colon < 0 || !Number.isInteger(length)) throw new RangeError('A message of another form');
    texts.push(message.slice(colon + 1, colon + 1 + length));
    at = colon + 1 + length;
  }
  return { nodeId: message.slice(0, space), missed: message[space + 1] === '1', texts };
}
