import { pathToFileURL } from 'node:url';
import { type EditedKind, kinds } from '../../model/kinds.ts';
import type { decodeEnvelope, encodeEnvelope } from '../../model/log/change.ts';
import type { ModelVersionError } from '../../model/log/kind-model.ts';
import type { applyTail } from '../../model/log/log-tail.ts';
import type { ConversionError } from '../errors.ts';
import type { KindEngine } from './kind-engine.ts';

/**
 * What logs of all kinds share, for models from outside: they use the classes of the program, so that each exists only
 * once.
 */
export interface ModelTools {
  readonly ModelVersionError: typeof ModelVersionError;
  readonly decodeEnvelope: typeof decodeEnvelope;
  readonly encodeEnvelope: typeof encodeEnvelope;
}

/**
 * The classes that engines from outside use, so that their errors are recognised and their logs applied like all others.
 */
export interface EngineTools extends ModelTools {
  readonly ConversionError: typeof ConversionError;
  readonly applyTail: typeof applyTail;
}

/** A kind of document from outside of the program: the default export of a module that `KIND_MODULES` names. */
export interface KindModule {
  readonly kind: EditedKind;
  /** Called once in each thread that works with files of the kind. */
  readonly engine: (tools: EngineTools) => KindEngine;
}

const loaded = new Map<string, Promise<KindModule>>();

/**
 * Loads modules and adds their kinds to the table of this process. A module that was loaded before is returned again.
 * @param addresses absolute paths of JavaScript modules
 * @throws Error that names the module which has no kind to give
 */
export function loadKindModules(addresses: readonly string[]): Promise<readonly KindModule[]> {
  return Promise.all(
    addresses.map((address) => {
      const known = loaded.get(address) ?? load(address);
      loaded.set(address, known);
      return known;
    }),
  );
}

async function load(address: string): Promise<KindModule> {
  try {
    const { default: given } = (await import(pathToFileURL(address).href)) as {
      default?: Partial<KindModule>;
    };
    const { kind, engine } = given ?? {};
    if (!kind?.model || typeof engine !== 'function') {
      throw new TypeError('its default export is no kind with a model and an engine');
    }
    kinds.add(kind);
    return { kind, engine };
  } catch (cause) {
    throw new Error(`KIND_MODULES: ${address} could not be loaded: ${(cause as Error).message}`, { cause });
  }
}
