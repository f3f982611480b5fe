import { authorName } from '../../load/frame-template.ts';
import { loadKinds } from '../../load/load-kinds.ts';
import { Meters } from '../../load/meters.ts';
import { recordersOf } from '../../load/recorders.ts';
import { Rooms } from '../../load/rooms.ts';
import { Signer } from '../../load/signer.ts';
import { LeanFetch } from '../../load/wire/lean-fetch.ts';
import { targetOf } from '../../load/wire/target.ts';
import type { World } from '../../load/world.ts';

/** What people of a load need who come to one server, and what became of them. */
export function worldOf(url: string, changes: Partial<World> = {}) {
  const meters = new Meters();
  const problems: string[] = [];
  const counted: Record<string, number> = {};
  let authors = 0;
  const world: World = {
    ...{ target: targetOf(url), transport: 'plain', meters, kind: loadKinds.word },
    integrator: { sourceUrl: () => `${url}/0.docx`, callbackUrl: `${url}/callback` },
    rooms: new Rooms('run', loadKinds.word, 1, 1, meters),
    signer: new Signer(null),
    files: new LeanFetch(),
    batches: loadKinds.word.batches('plain', 1),
    ...{ attempts: 12, random: () => 0 },
    nextConnection: () => 0,
    nextAuthor: () => authorName(authors++),
    problem: (kind) => void problems.push(kind),
    otherDocument: () => ({ document: 'other', number: 1 }),
    ...changes,
  };
  /** Counted since the beginning. */
  const count = (name: string): number => {
    for (const [one, more] of Object.entries(meters.take().counts)) counted[one] = (counted[one] ?? 0) + more;
    return counted[name] ?? 0;
  };
  return { world, recorders: recordersOf(meters), problems, count, gauges: meters.gauges };
}
