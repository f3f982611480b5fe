import type { RedeliveryRecords } from '../../db/redelivery.ts';
import type { Cluster } from '../../platform/ports/cluster.ts';
import type { Leaving } from '../lifecycle/leaving.ts';
import { AdminError } from './admin-error.ts';

export interface HandoverDependencies {
  handBack: RedeliveryRecords;
  leaving: Pick<Leaving, 'assemble'>;
  cluster: Cluster;
  onError: (error: unknown, key: string) => void;
}

/** Brings to integrators what they would not, or could not, take before. */
export class Handover {
  readonly #deps: HandoverDependencies;

  constructor(dependencies: HandoverDependencies) {
    this.#deps = dependencies;
  }

  /**
   * Hands a document over that rests in forgotten storage.
   * @throws AdminError when that cannot be
   */
  async document(key: string): Promise<'delivering' | 'assembling'> {
    const { handBack, leaving, onError } = this.#deps;
    const taken = await handBack.forgotten(key);
    switch (taken.kind) {
      case 'delivering':
        await this.#wake();
        return 'delivering';
      case 'assembling':
        leaving.assemble(taken.document).catch((error: unknown) => onError(error, key));
        return 'assembling';
      case 'not-forgotten':
        throw new AdminError('not-forgotten', 'This document is not in forgotten storage.');
      case 'in-use':
        throw new AdminError(
          'in-use',
          'Somebody has opened this document since: it is handed over when its last editor leaves.',
        );
      case 'unaddressed':
        throw new AdminError(
          'no-address',
          'Nobody gave an address to hand this document to: download it, or have it opened again.',
        );
      case 'opaque':
        throw new AdminError(
          'not-readable',
          'This server cannot put base file and changes of these editors together: download them, or have the document opened again.',
        );
    }
  }

  /**
   * Has a save that waits tried now.
   * @throws AdminError when it does not wait
   */
  async waiting(saveId: string): Promise<'due'> {
    switch (await this.#deps.handBack.waiting(saveId)) {
      case 'due':
        await this.#wake();
        return 'due';
      case 'under-way':
        throw new AdminError('under-way', 'Its integrator is being told of this save at this moment.');
      case 'not-waiting':
        throw new AdminError('not-waiting', 'This save does not wait any more.');
    }
  }

  /** Whichever node is free takes it at once; without this they would look a few seconds later. */
  async #wake(): Promise<void> {
    await this.#deps.cluster.ask('wakeDelivery', {});
  }
}
