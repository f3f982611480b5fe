import type { Parsed, Setting } from './setting.ts';

/** Engines that an operator can prefer. */
const preferableEngines = ['x2t', 'libreoffice'] as const;
export type PreferableEngine = (typeof preferableEngines)[number];

/** Which engine converts a pair of formats, where it can; `*` is any format. */
export interface EngineRule {
  from: string;
  to: string;
  engine: PreferableEngine;
}

const form = /^([a-z0-9]+|\*):([a-z0-9]+|\*)=(\w+)$/;

/** Reads `odt:docx=libreoffice, *:pdf=x2t`. */
export function parseEngineRules(text: string): Parsed<readonly EngineRule[]> {
  const rules: EngineRule[] = [];
  for (const entry of text.toLowerCase().split(/[\s,]+/)) {
    const [, from, to, named] = form.exec(entry) ?? [];
    const engine = preferableEngines.find((one) => one === named);
    if (from === undefined || to === undefined || !engine) {
      return {
        problem: `must be entries like odt:docx=libreoffice with the engines ${preferableEngines.join(' and ')}, not "${entry}"`,
      };
    }
    rules.push({ from, to, engine });
  }
  return { value: rules };
}

export function engineRules(env: string, description: string): Setting<readonly EngineRule[]> {
  return {
    env,
    type: 'list of `from:to=engine`',
    defaultText: 'as measured',
    description,
    defaultValue: [],
    parse: parseEngineRules,
  };
}
