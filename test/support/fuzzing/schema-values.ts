import fc from 'fast-check';
import type * as z from 'zod/mini';

/** Texts that do harm where they are taken for something else than text. */
export const hostileTexts: readonly string[] = [
  ...['', 'a', 'A1', '1', '-1', '#REF!', '=1+1', 'TRUE', '__proto__', 'constructor', 'toString'],
  ...['"><x y="', "' onload='", ']]>', '<!--', '&amp;', '&#0;', '_x0041_', '</worksheet>', '$1$&', 'r:id'],
  ...['\u0000', 'bell \u0007', 'soft\u000bline', '\u001b[0m', 'half \ud800', '\udfff', '\ufffe\uffff'],
  ...['\t\n\r', ' a ', '\u202e', 'é', '😀', 'x'.repeat(300), 'Sheet1!$A$1:$B$2', "'a b'!A1", 'javascript:1'],
  ...['2026-01-01T00:00:00.000Z', 'yesterday', 'media/image1.png', 'media/../../x', 'FF0000', 'cellIs'],
  ...['<colorFilter dxfId="0"/></filterColumn><x>', '<iconFilter iconSet="3Arrows" iconId="1"/>', '1:1'],
];

/** Numbers that are no places, sizes or counts. */
export const hostileNumbers: readonly number[] = [
  ...[0, 1, 2, 9, 255, -1, 0.5, -0.5, 1e-300, 1e300, -1e300, 2 ** 31, 2 ** 53, 1_048_575, 16_383, 1_000],
];

const areas: readonly unknown[] = [
  ...[
    [0, 0, 0, 0],
    [1, 0, 3, 1],
    [0, 0, 1_048_575, 16_383],
    [5, 5, 5, 9],
    [0, 3, 1_048_575, 3],
  ],
];
const formats: readonly unknown[] = [
  {},
  { number: '\u0001"<' },
  { font: { name: 'a\u000b"', size: -4, color: { theme: -1.5, tint: 7 } } },
  { fill: { pattern: 'wool', color: { indexed: 0.5 } } },
  { fill: { gradient: { degree: 1e9, stops: [{ at: 9, color: { rgb: 'FF0000' } }] } } },
  { border: { left: { style: '"', color: { auto: true } } }, align: { rotation: -7.5, indent: 1e9 } },
  { protection: { locked: false }, style: '\u0000' },
];
const colors: readonly unknown[] = [
  ...[
    { rgb: 'FF0000', tint: -9 },
    { theme: -1.5 },
    { theme: 1e300, tint: 0.5 },
    { indexed: 0.5 },
    { auto: true },
  ],
];
/** For what a schema asks with a function of its own. */
const customs = [
  ...areas,
  ...formats,
  ...colors,
  [{ name: 'a\u0001', cells: [[0, 0, '\u0002<']] }],
  ...hostileNumbers,
];

const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts, ...hostileNumbers, true, null, [], {}),
  fc.dictionary(fc.constantFrom(...hostileTexts), fc.constantFrom<unknown>(...hostileTexts, 1, null), {
    maxKeys: 3,
  }),
);

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly valueType?: z.ZodMiniType;
  readonly keyType?: z.ZodMiniType;
  readonly items?: readonly z.ZodMiniType[];
  readonly options?: readonly z.ZodMiniType[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
}

/** Values that a schema takes, as hostile as it lets them be. */
export function valuesOf(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  const definition = schema._zod.def as unknown as Definition;
  const taken = (values: readonly unknown[]) => {
    const fitting = values.filter((value) => schema.safeParse(value).success);
    if (fitting.length === 0) throw new Error(`no value for a schema of ${definition.type}`);
    return fc.constantFrom(...fitting);
  };
  switch (definition.type) {
    case 'string':
      return taken(hostileTexts);
    case 'number':
      return taken(hostileNumbers);
    case 'custom':
      return taken(customs);
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(definition.entries!));
    case 'literal':
      return fc.constantFrom(...definition.values!);
    case 'nullable':
      return fc.option(valuesOf(definition.innerType!));
    case 'optional':
      return valuesOf(definition.innerType!);
    case 'array':
      return fc
        .array(valuesOf(definition.element!), { minLength: 1, maxLength: 3 })
        .filter((value) => schema.safeParse(value).success);
    case 'tuple':
      return fc.tuple(...definition.items!.map(valuesOf));
    case 'union':
      return fc.oneof(...definition.options!.map(valuesOf));
    case 'record': {
      const keys = hostileTexts.filter((key) => definition.keyType!.safeParse(key).success);
      const names = keys.length > 0 ? keys : Object.values(optionsOf(definition.keyType!));
      return fc.dictionary(fc.constantFrom(...names), valuesOf(definition.valueType!), { maxKeys: 2 });
    }
    case 'object': {
      const entries = Object.entries(definition.shape!);
      const isOptional = (of: z.ZodMiniType) => (of._zod.def as unknown as Definition).type === 'optional';
      return fc.record(Object.fromEntries(entries.map(([name, of]) => [name, valuesOf(of)])), {
        requiredKeys: entries.filter(([, of]) => !isOptional(of)).map(([name]) => name),
      });
    }
    case 'unknown':
      return anything;
    default:
      throw new Error(`nobody has said what a schema of ${definition.type} takes`);
  }
}

const optionsOf = (schema: z.ZodMiniType): string[] =>
  Object.values((schema._zod.def as unknown as Definition).entries ?? {}) as string[];
