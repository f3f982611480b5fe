import * as z from 'zod/mini';
import { choice, flag, maybeAddress, maybeFlag, maybePicture, maybeText, section, zoom } from './fields.ts';

/** Something that is switched by `true` and `false`, or on by an object with more about it. */
const switchable = <Details extends z.ZodMiniType<unknown, unknown>>(details: Details, fallback: boolean) =>
  z.pipe(
    z.catch(
      z.union([
        z.pipe(
          z.boolean(),
          z.transform((visible): unknown => ({ visible })),
        ),
        z.record(z.string(), z.unknown()),
      ]),
      { visible: fallback },
    ),
    details,
  );

/** `editorConfig.customization` (integration API, 4.4). */
export const customizationSchema = section({
  about: flag(true),
  anonymous: section({ request: flag(true), label: maybeText }),
  autosave: flag(true),
  chat: flag(true),
  close: switchable(section({ visible: flag(true), text: maybeText }), false),
  comments: flag(true),
  compactHeader: flag(false),
  compactToolbar: flag(false),
  customer: section({
    name: maybeText,
    address: maybeText,
    info: maybeText,
    mail: maybeText,
    phone: maybeText,
    www: maybeAddress,
    logo: maybePicture,
    logoDark: maybePicture,
  }),
  features: section({
    spellcheck: switchable(section({ visible: flag(true), mode: flag(true), change: flag(true) }), true),
  }),
  feedback: switchable(section({ visible: flag(true), url: maybeAddress }), false),
  /** Whether the save button sends the document to its storage, not only to the server. */
  forcesave: flag(false),
  goback: switchable(
    section({
      visible: flag(true),
      blank: flag(true),
      requestClose: flag(false),
      text: maybeText,
      url: maybeAddress,
    }),
    false,
  ),
  help: flag(true),
  hideRightMenu: flag(false),
  hideRulers: flag(false),
  integrationMode: maybeText,
  loaderLogo: maybePicture,
  loaderName: maybeText,
  logo: section({
    image: maybePicture,
    imageDark: maybePicture,
    imageLight: maybePicture,
    imageEmbedded: maybePicture,
    /** Empty: the logo leads nowhere. */
    url: maybeAddress,
    visible: flag(true),
  }),
  mentionShare: flag(true),
  plugins: flag(true),
  pointerMode: choice(['select', 'hand'], 'select'),
  review: section({
    hideReviewDisplay: flag(false),
    hoverMode: flag(false),
    reviewDisplay: choice(['original', 'markup', 'simple', 'final'], 'markup'),
    showReviewChanges: flag(false),
    /** Undefined: the document says so itself. */
    trackChanges: maybeFlag,
  }),
  showHorizontalScroll: flag(true),
  showVerticalScroll: flag(true),
  /** The older way to say `features.spellcheck`. */
  spellcheck: flag(true),
  startFillingForm: section({ text: maybeText }),
  submitForm: flag(false),
  suggestFeature: flag(true),
  toolbarHideFileName: flag(false),
  uiTheme: maybeText,
  unit: choice(['cm', 'pt', 'inch'], 'cm'),
  wordHeadingsColor: maybeText,
  zoom: zoom(100),
});
type Customization = z.infer<typeof customizationSchema>;

/** Whether the browser checks the spelling at first, and whether the person may change that. */
export function spellcheckOf({ features, spellcheck }: Customization): { on: boolean; mayChange: boolean } {
  const { visible, mode, change } = features.spellcheck;
  return { on: spellcheck && visible && mode, mayChange: change };
}
