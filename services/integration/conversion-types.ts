/** A kind of documents, as far as options of a conversion are concerned. `fixed`: pages that are laid out already. */
export type Family = 'text' | 'sheet' | 'slide' | 'diagram' | 'fixed' | 'image';

const typesOf: Readonly<Record<Family, string>> = {
  text: `doc docm docx dot dotm dotx epub fb2 fodt hml htm html hwp hwpx md mht mhtml odt ott oform pages rtf stw sxw
    txt wps wpt xml`,
  sheet: 'csv et ett fods numbers ods ots slk sxc tsv xls xlsb xlsm xlsx xlt xltm xltx',
  slide: 'dps dpt fodg fodp key odg odp otg otp pot potm potx pps ppsm ppsx ppt pptm pptx sxi',
  diagram: 'vsdx vsdm vssx vssm vstx vstm',
  fixed: 'pdf xps oxps docxf djvu',
  image: 'bmp gif jpg png tiff',
};

const families: ReadonlyMap<string, Family> = new Map(
  Object.entries(typesOf).flatMap(([family, types]) =>
    types.split(/\s+/).map((type) => [type, family as Family] as const),
  ),
);

/** Output types that stand for the fitting type of a family, or for a flavour of one. */
const pseudoTypes: ReadonlySet<string> = new Set(['ooxml', 'odf', 'pdfa']);

/** The family of a type of the documented matrix (integration API, 9.5); undefined for every other type. */
export const familyOf = (type: string): Family | undefined => families.get(type);

export const isImage = (type: string): boolean => familyOf(type) === 'image';

/** Whether a file of this type does not say in which encoding it is. */
export const isPlain = (type: string): boolean => ['txt', 'csv', 'tsv'].includes(type);

/** Whether a source can be called this. */
export const isSourceType = (type: string): boolean => families.has(type) && !isImage(type);

/** Whether a result can be asked for by this name. */
export const isOutputType = (type: string): boolean => families.has(type) || pseudoTypes.has(type);
