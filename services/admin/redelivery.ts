import type { RedeliveryRecords } from '../../db/redelivery.ts';
import type { Cluster } from '../../platform/ports/cluster.ts';
import type { Leaving } from '../lifecycle/leaving.ts';
import { AdminError } from './admin-error.ts';

interface RedeliveryDependencies {
  records: RedeliveryRecords;
  leaving: Pick<Leaving, 'assemble'>;
  cluster: Cluster;
}

/** Delivers again what an integrator did not take before. */
export class Redelivery {
  readonly #deps: RedeliveryDependencies;

  constructor(dependencies: RedeliveryDependencies) {
    this.#deps = dependencies;
  }

  /**
   * Redelivers a forgotten document.
   * @throws AdminError when that is not possible
   */
  async forgotten(key: string): Promise<'delivering' | 'assembling'> {
    const { records, leaving } = this.#deps;
    const taken = await records.forgotten(key);
    switch (taken.kind) {
      case 'delivering':
        this.#wake();
        return 'delivering';
      case 'assembling':
        leaving.assemble(taken.document);
        return 'assembling';
      case 'not-forgotten':
        throw new AdminError('not-forgotten', 'This document is not in forgotten storage.');
      case 'in-use':
        throw new AdminError(
          'in-use',
          'Somebody has opened this document since: it is delivered when its last editor leaves.',
        );
      case 'unaddressed':
        throw new AdminError(
          'no-address',
          'Nobody gave an address to deliver this document to: download it, or have it opened again.',
        );
      case 'opaque':
        throw new AdminError(
          'not-readable',
          'This server cannot put base file and changes of these editors together: download them, or have the document opened again.',
        );
    }
  }

  /**
   * Tries a waiting save now.
   * @throws AdminError when it is not waiting
   */
  async waiting(saveId: string): Promise<'due'> {
    switch (await this.#deps.records.waiting(saveId)) {
      case 'due':
        this.#wake();
        return 'due';
      case 'under-way':
        throw new AdminError('under-way', 'This save is being delivered at this moment.');
      case 'not-waiting':
        throw new AdminError('not-waiting', 'This save does not wait any more.');
    }
  }

  /** A free node delivers it at once; otherwise the nodes look some seconds later. While others cannot be asked, it is this one. */
  #wake(): void {
    const { cluster } = this.#deps;
    const here = { nodeIds: [cluster.nodeId] };
    cluster
      .ask('wakeDelivery', {})
      .catch(() => cluster.ask('wakeDelivery', {}, here))
      .catch(() => undefined);
  }
}
