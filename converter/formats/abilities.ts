import type { PresentEngine } from '../../db/converter-engines.ts';
import type { EngineAbility } from '../engines/conversion-engine.ts';
import { copyAbility } from '../engines/copy-engine.ts';
import { libreofficeAbility } from '../engines/libreoffice/ability.ts';
import { tableAbility } from '../engines/table-engine.ts';
import { x2tAbility } from '../engines/x2t/conversion.ts';

/** All engines there may be, in the order in which they are preferred. */
const known: Readonly<Record<string, (version: string) => EngineAbility>> = {
  copy: () => copyAbility,
  table: () => tableAbility,
  x2t: x2tAbility,
  libreoffice: libreofficeAbility,
};

/** What engines can do, in the order in which they are preferred; unknown ones are those of another version of Quire. */
export function abilitiesOf(present: readonly PresentEngine[]): EngineAbility[] {
  return Object.entries(known).flatMap(([name, ability]) => {
    const found = present.find(({ engine }) => engine === name);
    return found ? [ability(found.version)] : [];
  });
}

/** What a process says of the engines that it has. */
export const presentEngines = (abilities: readonly EngineAbility[]): PresentEngine[] =>
  abilities.map(({ name, version }) => ({ engine: name, version }));
