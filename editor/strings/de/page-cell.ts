import { charts } from './charts.ts';
import { drawings } from './drawings.ts';
import { links } from './links.ts';
import { pasting } from './pasting.ts';
import { rules } from './rules.ts';
import { sheet } from './sheet.ts';

export const texts = { charts, drawings, links, pasting, rules, sheet } as const;
