import type { Checkpoints } from '../../db/checkpoints.ts';
import type { FileLinks } from '../http/file-links.ts';
import { routingOfDocument } from '../http/routing.ts';
import type { OfferedCheckpoint } from './document/admission.ts';
import type { Connection } from './gateway/connection.ts';

export interface CheckpointOffersDependencies {
  checkpoints: Pick<Checkpoints, 'newest'>;
  links: FileLinks;
  /** 0: checkpoints are not used. */
  checkpointEvery: number;
}

/** The log of a document as somebody is about to be given it. */
export interface GivenLog {
  key: string;
  logVersion: number;
  endIndex: number;
}

/** What newcomers are offered in place of the beginning of a log. */
export class CheckpointOffers {
  readonly #deps: CheckpointOffersDependencies;

  constructor(dependencies: CheckpointOffersDependencies) {
    this.#deps = dependencies;
  }

  /** The newest checkpoint of a log, with a link for one connection; null where there is none. */
  async offerTo(
    { handshake }: Connection,
    { key, logVersion, endIndex }: GivenLog,
  ): Promise<OfferedCheckpoint | null> {
    const { checkpoints, links, checkpointEvery } = this.#deps;
    if (checkpointEvery === 0) return null;
    const found = await checkpoints.newest(key, logVersion, endIndex);
    if (!found) return null;
    const base = { baseUrl: handshake.baseUrl, routing: routingOfDocument(key, handshake.routing) };
    const file = { docKey: key, hash: found.hash, path: `checkpoint/${found.endIndex}.json` };
    return { index: found.endIndex, url: links.session(file, base, 0) };
  }
}
