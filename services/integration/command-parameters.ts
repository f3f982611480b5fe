import { z } from 'zod';
import { exactJson } from '../../client/protocol/exact-json.ts';
import { CommandResult } from '../../client/protocol/index.ts';
import { cleanText } from '../../platform/foreign-text.ts';
import type { Claims } from '../../platform/secrets/tokens.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';
import { flag, words } from './conversion-options.ts';

/** Longest title that is passed on to editors, characters. */
const maxTitleCharacters = 1_024;

/** GET requests have texts only, and so have integrators who write JSON twice: a list or object may be JSON text. */
const orItsText = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? parsed(value) : value), schema);

function parsed(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return text;
  }
}

const isCallbackAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

const key = words(240)
  .refine(isDocumentKey)
  .describe('The document: letters, digits and `-._=`, at most 240.');
const userdata = z.unknown().optional().describe('Comes back in the callback as it is.');
const cleaned = words().transform(cleanText);

/** The parameters of every command (integration API, 8.2), beside `c`, which names it. */
export const commandParameters = {
  version: z.object({}),
  license: z.object({}),
  info: z.object({
    key,
    userdata,
    callback: z
      .string()
      .refine(isCallbackAddress)
      .nullish()
      .describe('Address that is called back instead of the one of the last opening.'),
  }),
  forcesave: z.object({ key, userdata }),
  drop: z.object({
    key,
    users: orItsText(z.array(cleaned).nullish()).describe(
      'Ids of users, or their JSON text; absent: everybody.',
    ),
  }),
  meta: z.object({
    key,
    meta: orItsText(
      z
        .object({
          title: words(maxTitleCharacters).transform(cleanText).pipe(z.string().min(1)).nullish(),
          favorite: flag.nullish(),
        })
        .refine(({ title, favorite }) => typeof title === 'string' || favorite !== undefined),
    ).describe('What editors are to show.'),
  }),
  saved: z.object({
    key,
    status: cleaned.describe(
      '`1`: the callback that is under way was handled well; anything else: it was not, whatever it answers.',
    ),
    conv: z.unknown().optional(),
  }),
  getForgotten: z.object({ key }),
  deleteForgotten: z.object({ key }),
  getForgottenList: z.object({}),
};

export type CommandName = keyof typeof commandParameters;
export type ParametersOf<Name extends CommandName> = z.output<(typeof commandParameters)[Name]>;

/** A command that can be carried out, or the number of what is wrong with it. */
export type ReadCommand =
  | { [Name in CommandName]: { name: Name; parameters: ParametersOf<Name> } }[CommandName]
  | { error: CommandResult };

/** The answer to a wrong parameter; all others are addresses or lists that cannot be read. */
const errorOf: Readonly<Record<string, CommandResult>> = {
  key: CommandResult.badDocumentId,
  meta: CommandResult.unknownCommand,
};

/** Reads the parameters of a command. A wrong key counts before everything else that is wrong. */
export function readCommand({ c, ...given }: Claims): ReadCommand {
  if (typeof c !== 'string' || !Object.hasOwn(commandParameters, c)) {
    return { error: CommandResult.unknownCommand };
  }
  const name = c as CommandName;
  const read = commandParameters[name].safeParse(given);
  if (read.success) return { name, parameters: read.data } as ReadCommand;
  const wrong = read.error.issues.map(({ path }) => String(path[0]));
  const first = wrong.includes('key') ? 'key' : (wrong[0] ?? '');
  return { error: errorOf[first] ?? CommandResult.parseError };
}
