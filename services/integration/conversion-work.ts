import { ServiceError } from '../../client/protocol/index.ts';
import { ConversionError } from '../../converter/errors.ts';
import type { Conversion, ConversionOptions, ConversionOutcome } from '../../converter/formats/conversion.ts';
import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { usualType } from '../../model/usual-type.ts';
import { DownloadError } from '../../platform/outgoing/download.ts';
import type { ConversionRequest, Conversions } from '../lifecycle/conversions.ts';
import type { SourceFiles } from '../lifecycle/source-files.ts';
import { optionsFor } from './conversion-options.ts';
import type { ConversionParameters } from './conversion-parameters.ts';

export interface ConversionWorkDependencies {
  table: Pick<ConversionTable, 'sources' | 'resolveTarget' | 'choose'>;
  sourceFiles: Pick<SourceFiles, 'fetch'>;
  conversions: Pick<Conversions, 'convert'>;
}

/** From what into what a request wants a file converted. */
export interface ConversionPlan {
  fromType: string;
  toType: string;
  options: ConversionOptions;
}

/** For whom a conversion is made. `vouched`: a verified token names the address of the source. */
export interface RunFor extends Pick<ConversionRequest, 'isInteractive' | 'owner' | 'onRecord'> {
  vouched: boolean;
}

/** What a request for a conversion needs done: its types found out, its source fetched, the file converted. */
export class ConversionWork {
  readonly #deps: ConversionWorkDependencies;

  constructor(dependencies: ConversionWorkDependencies) {
    this.#deps = dependencies;
  }

  /** What is wanted, or why no file could be converted like this here. */
  plan({ url, fileType, outputType, options: given }: ConversionParameters): ConversionPlan | Refusal {
    const { table } = this.#deps;
    const named = fileType ?? this.#typeInAddress(url);
    if (named === null) return refused(ServiceError.convertDetect, 'The type of the source is not given');
    const fromType = usualType(named);
    const toType = table.resolveTarget(fromType, outputType);
    if (toType === null) {
      return refused(ServiceError.convertDetect, `There is no ${outputType} for files of type ${fromType}`);
    }
    const options = optionsFor(given, fromType, toType);
    const { password: _password, ...others } = options;
    // Only the file says whether a password is needed: an engine that opens no protected files says so.
    const tried = [options, others].map((some) => this.#refusal({ fromType, toType, options: some }));
    if (tried[0] === null) return { fromType, toType, options };
    return tried[1] ?? { fromType, toType, options: others };
  }

  /** Why no engine here does this. */
  #refusal(conversion: Conversion): Refusal | null {
    try {
      this.#deps.table.choose(conversion);
      return null;
    } catch (error) {
      if (error instanceof ConversionError) return refused(error.serviceError, error.message);
      throw error;
    }
  }

  /** @throws QueueFullError */
  async run(
    plan: ConversionPlan,
    { url }: ConversionParameters,
    { vouched, ...asker }: RunFor,
  ): Promise<ConversionOutcome> {
    const { sourceFiles, conversions } = this.#deps;
    try {
      const { hash } = await sourceFiles.fetch({ url, fromVerifiedToken: vouched });
      return await conversions.convert({ sourceHash: hash, ...plan, ...asker });
    } catch (error) {
      if (error instanceof DownloadError) return refused(error.serviceError, error.message);
      throw error;
    }
  }

  /** Older integrators name the type nowhere but in the address. */
  #typeInAddress(url: string): string | null {
    const extension = /\.([a-z0-9]{1,16})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase();
    return extension !== undefined && this.#deps.table.sources().includes(usualType(extension))
      ? extension
      : null;
  }
}

type Refusal = Extract<ConversionOutcome, { ok: false }>;

const refused = (errorCode: number, message: string): Refusal => ({ ok: false, errorCode, message });
