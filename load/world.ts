import type { Integrator } from './integrator.ts';
import type { KindBatches, LoadKind } from './load-kinds.ts';
import type { Meters } from './meters.ts';
import type { Rooms } from './rooms.ts';
import type { Signer } from './signer.ts';
import type { TransportName } from './wire/frames.ts';
import type { LeanFetch } from './wire/lean-fetch.ts';
import type { Target } from './wire/target.ts';

/** What all people of a generator share. */
export interface World {
  target: Target;
  transport: TransportName;
  integrator: Pick<Integrator, 'sourceUrl' | 'callbackUrl'>;
  rooms: Rooms;
  meters: Meters;
  signer: Signer;
  files: LeanFetch;
  kind: LoadKind;
  batches: KindBatches;
  /** How often somebody tries to come in before giving up. */
  attempts: number;
  /** Numbers in [0, 1) by the seed of the run. */
  random(): number;
  /** Numbers connections, for their source addresses. */
  nextConnection(): number;
  /** A name that no other person of the run has. */
  nextAuthor(): string;
  /** Tells of something that a person would have noticed. */
  problem(kind: string, detail: string): void;
  /** Somebody else's document, for somebody who moves. */
  otherDocument(): { document: string; number: number };
}
