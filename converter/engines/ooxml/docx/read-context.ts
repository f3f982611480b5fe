import type { PictureFinder } from '../package/pictures.ts';
import type { Relationships } from '../package/relationships.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import type { ReadableComments } from './comment-catalog.ts';
import type { DataParts } from './controls/data-parts.ts';
import type { ModelBudget } from './model-budget.ts';
import type { RunPropertyReader } from './run-properties.ts';
import type { SourceMap } from './source-map.ts';
import type { TableStyles } from './styles.ts';

/** What the readers of a part share. */
export interface ReadContext {
  readonly xml: XmlDocument;
  readonly map: SourceMap;
  readonly budget: ModelBudget;
  readonly runs: RunPropertyReader;
  readonly relationships: Relationships;
  readonly media: PictureFinder;
  readonly comments: ReadableComments;
  readonly tableStyles: () => TableStyles;
  readonly dataParts: DataParts;
  /** Section properties (17.6.17) in document order. */
  readonly sections: XmlElement[];
}
