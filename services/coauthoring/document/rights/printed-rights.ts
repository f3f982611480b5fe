import { markdownTable } from '../../../../platform/markdown-table.ts';
import { type CommandRights, commandFields, commandRights } from './command-rights.ts';
import { type MessageRights, messageRights, type Otherwise, userFields } from './message-rights.ts';
import { type RpcRights, rpcRights } from './rpc-rights.ts';
import { type Condition, meaningOf } from './standing.ts';

/** The tables of rights in Markdown, for `docs/security.md`. */
export function printedRights(): string {
  const messages = Object.entries<MessageRights<never>>(messageRights).map(([type, rights]) => [
    `\`${type}\``,
    rights.fromStranger === 'handle' ? 'it is for that' : printedOtherwise(rights.fromStranger),
    printedNeeds(rights.needs),
    rights.needs.length === 0 ? '' : printedOtherwise(rights.otherwise),
    rights.mostCharacters === 'transport' ? 'any' : String(rights.mostCharacters),
    rights.heardBy,
    printedFields(rights.fields),
  ]);
  const commands = Object.entries<CommandRights>(commandRights).map(([name, { needs, refusal }]) => [
    `\`${name}\``,
    printedNeeds(needs),
    refusal === undefined ? '' : `error ${refusal}`,
  ]);
  const calls = Object.entries<RpcRights>(rpcRights).map(([name, { needs, fields }]) => [
    `\`${name}\``,
    printedNeeds(needs),
    printedFields(fields),
  ]);
  return [
    markdownTable(
      ['message', 'before signing in', 'its sender', 'else', 'most characters', 'heard by', 'fields'],
      messages,
    ),
    markdownTable(['`auth.user`', 'fields'], [['', printedFields(userFields)]]),
    markdownTable(['command (`auth.openCmd`, `openDocument`)', 'who asks', 'else'], [...commands]),
    markdownTable(['its fields'], [[printedFields(commandFields)]]),
    markdownTable(['call (`rpc`)', 'who calls', 'fields'], calls),
  ].join('\n\n');
}

const printedNeeds = (needs: readonly Condition[]): string =>
  needs.length === 0 ? 'has signed in' : needs.map((condition) => meaningOf[condition]).join(', ');

function printedOtherwise(otherwise: Otherwise): string {
  if (otherwise === 'dismiss') return 'the connection ends';
  return otherwise === 'ignore' ? 'nothing happens' : 'is answered that it was not done';
}

/** The fields by what is made of them: `content`: a, b; `own`: c. */
function printedFields(fields: Readonly<Record<string, string>>): string {
  const byBelief = new Map<string, string[]>();
  for (const [field, belief] of Object.entries(fields))
    byBelief.set(belief, [...(byBelief.get(belief) ?? []), `\`${field}\``]);
  return [...byBelief].map(([belief, names]) => `${belief}: ${names.join(', ')}`).join('; ');
}
