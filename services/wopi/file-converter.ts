import type { ConversionOptions, ConversionOutcome } from '../../converter/formats/conversion.ts';
import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import type { JobOwner } from '../../db/fair-queue.ts';

/** Conversions from one format to another, and which there are. */
export interface FileConverter {
  table: Pick<ConversionTable, 'handles' | 'resolveTarget'>;
  /** @throws QueueFullError */
  convert(request: {
    sourceHash: string;
    fromType: string;
    toType: string;
    options?: ConversionOptions;
    isInteractive?: boolean;
    owner?: JobOwner;
  }): Promise<ConversionOutcome>;
}
