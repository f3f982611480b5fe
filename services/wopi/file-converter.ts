import type { ConversionOptions, ConversionOutcome } from '../../converter/conversion.ts';
import type { ConversionTable } from '../../converter/conversion-table.ts';

/** Conversions from one format to another, and which there are. */
export interface FileConverter {
  table: Pick<ConversionTable, 'handles' | 'resolveTarget'>;
  convert(request: {
    sourceHash: string;
    fromType: string;
    toType: string;
    options?: ConversionOptions;
  }): Promise<ConversionOutcome>;
}
