import { unsealOptions } from '../../converter/jobs/opening-options.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import { kinds } from '../../model/kinds.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { OpenedAs } from './document/opened-as.ts';

/**
 * What a document is to the people in it, by its row. One whose password cannot be read is protected; so is none that is not
 * opened yet.
 */
export function openedAs(
  { openingOptions, model }: Pick<DocumentRow, 'openingOptions' | 'model'>,
  sealing: Sealing,
): OpenedAs {
  const options = unsealOptions(sealing, openingOptions);
  const ours = kinds.ofModel(model)?.model.name;
  return {
    isProtected: options === null || options.password !== undefined,
    isJudged: model === null || ours !== undefined,
    model: ours,
  };
}
