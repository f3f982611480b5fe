import { type Signal, signal } from '@preact/signals';
import type { FrameConfig } from '../../frame/frame-config.ts';

/** Who may do what with the document, as the embedding page says it. */
export interface SharingEntry {
  readonly user: string;
  readonly permissions: string;
  readonly isLink: boolean;
}

const known = new WeakMap<FrameConfig, HostFacts>();

/** What the embedding page says of the document, and may say anew while it is open: longer than a session lasts. */
export class HostFacts {
  readonly title: Signal<string>;
  /** Undefined: the page has no favorites. */
  readonly favorite: Signal<boolean | undefined>;
  readonly sharing: Signal<readonly SharingEntry[]>;
  /** Addresses of people's pictures, by the page's id of them. */
  readonly portraits: Signal<ReadonlyMap<string, string>>;

  private constructor({ document, editorConfig }: FrameConfig) {
    const { id, image } = editorConfig.user;
    this.title = signal(document.title);
    this.favorite = signal(document.info.favorite);
    this.sharing = signal(document.info.sharingSettings);
    this.portraits = signal(new Map(image === undefined ? [] : [[id, image]]));
  }

  /** The same for every session with one configuration. */
  static of(config: FrameConfig): HostFacts {
    const facts = known.get(config) ?? new HostFacts(config);
    known.set(config, facts);
    return facts;
  }
}
