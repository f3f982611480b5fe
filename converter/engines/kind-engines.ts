import { kinds, type ModelName, UnknownModelError } from '../../model/kinds.ts';
import { decodeEnvelope, encodeEnvelope } from '../../model/log/change.ts';
import { ModelVersionError } from '../../model/log/kind-model.ts';
import { applyTail } from '../../model/log/log-tail.ts';
import { ConversionError } from '../errors.ts';
import type { KindEngine } from './kind-engine.ts';
import { loadKindModules } from './kind-modules.ts';
import { docxEngine } from './ooxml/docx/docx-engine.ts';
import { ThreadCalculation } from './ooxml/xlsx/calculation.ts';
import { xlsxEngine } from './ooxml/xlsx/xlsx-engine.ts';

/** How long a file waits for the values of its formulas, milliseconds: less than a save may take. */
const calculationPatienceMs = 15_000;

const ownEngines: Readonly<Record<ModelName, KindEngine>> = {
  word: docxEngine,
  cell: xlsxEngine(new ThreadCalculation({ patienceMs: calculationPatienceMs }).values),
};

const engines = new Map<string, KindEngine>(Object.entries(ownEngines));

/** The engine of a model. @throws UnknownModelError */
export function engineOf(model: string): KindEngine {
  const engine = engines.get(model);
  if (!engine) throw new UnknownModelError(model, kinds.models);
  return engine;
}

const tools = { ConversionError, ModelVersionError, applyTail, decodeEnvelope, encodeEnvelope };

/** Adds the kinds of modules (`KIND_MODULES`) with their engines: for processes and threads that work with files. */
export async function loadKindEngines(addresses: readonly string[]): Promise<void> {
  for (const { kind, engine } of await loadKindModules(addresses))
    engines.set(kind.model.name, engine(tools));
}
