import { usualType } from '../../model/usual-type.ts';
import type { EngineAbility } from '../engines/conversion-engine.ts';
import { ConversionError } from '../errors.ts';
import { type Conversion, editorForms, webTable } from './conversion.ts';
import { type EnginePreference, measuredPreference } from './engine-preference.ts';

/** What integrators call the best type of a family, with the types it stands for in the order of preference. */
const pseudoTargets: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    ooxml: ['docx', 'xlsx', 'pptx', 'pdf'],
    odf: ['odt', 'ods', 'odp', 'pdf'],
  }),
);

/** Which engine converts which pair of types: the preferred one, else the first in the list. */
export class ConversionTable {
  #engines: readonly EngineAbility[];
  readonly #preference: EnginePreference;

  constructor(engines: readonly EngineAbility[], preference: EnginePreference = measuredPreference) {
    this.#engines = engines;
    this.#preference = preference;
  }

  /** From now on these engines are there. */
  offer(engines: readonly EngineAbility[]): void {
    this.#engines = engines;
  }

  /** Types that files of this type can be converted to, in alphabetical order. */
  targetsOf(fromType: string): readonly string[] {
    const targets = this.#engines.flatMap(({ pairs }) => [...(pairs.get(fromType) ?? [])]);
    return [...new Set(targets)].sort();
  }

  /** Types of files that can be converted, in alphabetical order. */
  sources(): readonly string[] {
    const types = new Set(this.#engines.flatMap(({ pairs }) => [...pairs.keys()]));
    return [...types].filter((type) => !editorForms.includes(type) && type !== webTable).sort();
  }

  /** Types that files of this type can be converted to by each engine that can, preferred ones first. */
  byEngine(fromType: string): ReadonlyMap<string, readonly string[]> {
    const able = this.#engines.filter(({ pairs }) => pairs.has(fromType));
    return new Map(able.map(({ name, pairs }) => [name, [...pairs.get(fromType)!].sort()]));
  }

  handles(fromType: string, toType: string): boolean {
    return this.#engines.some(({ pairs }) => pairs.get(fromType)?.has(toType));
  }

  /** Whether an engine does this with all its options. */
  canMake(conversion: Conversion): boolean {
    const { fromType, toType } = conversion;
    return this.#engines.some(
      (engine) => engine.pairs.get(fromType)?.has(toType) && engine.unable(conversion).length === 0,
    );
  }

  /**
   * The engines that know a pair, the preferred one first. A file whose type does not change is copied where that is
   * enough.
   */
  #inOrder(fromType: string, toType: string): EngineAbility[] {
    const able = this.#engines.filter(({ pairs }) => pairs.get(fromType)?.has(toType));
    if (fromType === toType) return able;
    const preferred = this.#preference(fromType, toType);
    const isPreferred = ({ name }: EngineAbility) => name === preferred;
    return [...able.filter(isPreferred), ...able.filter((engine) => !isPreferred(engine))];
  }

  /**
   * The type that `ooxml` or `odf` mean for files of a type, null when there is none; that of any other is the usual extension of
   * its format.
   */
  resolveTarget(fromType: string, outputType: string): string | null {
    const candidates = pseudoTargets.get(outputType);
    if (!candidates) return usualType(outputType);
    return candidates.find((candidate) => this.handles(fromType, candidate)) ?? null;
  }

  /**
   * The engine for a conversion.
   * @throws ConversionError `unknownFormat` when no engine knows the pair, `params` when no engine supports the options
   */
  choose(conversion: Conversion): EngineAbility {
    const { fromType, toType } = conversion;
    const able = this.#inOrder(fromType, toType);
    if (able.length === 0) {
      throw new ConversionError(
        'unknownFormat',
        `files of type ${fromType} cannot be converted to ${toType}`,
      );
    }
    const chosen = able.find((engine) => engine.unable(conversion).length === 0);
    if (chosen) return chosen;
    const names = able.at(-1)!.unable(conversion).join(', ');
    throw new ConversionError(
      'params',
      `a conversion from ${fromType} to ${toType} cannot do this: ${names}`,
    );
  }
}
