import { type ServerMessage, stringifyServerMessage } from '../../client/protocol/index.ts';

/** A message on its way out: turned into JSON once, however many connections it goes to. */
export class Frame {
  readonly json: string;
  /** The bytes of each transport, kept by the gateway so that a broadcast is framed once too. */
  encoded: unknown = null;

  constructor(json: string) {
    this.json = json;
  }

  static of(message: ServerMessage): Frame {
    return new Frame(stringifyServerMessage(message));
  }
}
