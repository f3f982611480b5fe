import { unzipSync } from 'fflate';
import { OfficePackage } from '../../converter/engines/ooxml/package/office-package.ts';
import { resolveTarget } from '../../converter/engines/ooxml/package/relationships.ts';
import { XmlDocument } from '../../converter/engines/ooxml/package/xml-document.ts';
import type { XmlElement } from '../../converter/engines/ooxml/package/xml-scanner.ts';
import { areasOfReferences } from '../../converter/engines/ooxml/xlsx/references.ts';
import { SHEET_PREFIXES } from '../../converter/engines/ooxml/xlsx/vocabulary.ts';
import { type Area, areaOfReference, intersection, sizeOf } from '../../model/cell/area.ts';
import { cellAddress } from '../../model/cell-address.ts';

/** Lists that say how many they hold (18.3 and 18.8). */
const COUNTED =
  /^(?:mergeCells|dataValidations|tableParts|tableColumns|rowBreaks|colBreaks|numFmts|fonts|fills|borders|cellStyleXfs|cellXfs|cellStyles|dxfs|filters|authors|pivotCaches)$/;

/** A package, and what is wrong with it; made to be compared with what was wrong before. */
class PackageCheck {
  readonly faults: string[] = [];
  readonly #parts: ReadonlyMap<string, Uint8Array>;
  readonly #xml = new Map<string, XmlDocument | undefined>();

  constructor(bytes: Uint8Array) {
    const names = new OfficePackage(bytes).archive.entries.map(({ name }) => name.toLowerCase());
    for (const name of doubled(names)) this.#say(`the part ${name} is there twice`);
    this.#parts = new Map(
      Object.entries(unzipSync(bytes)).flatMap(([name, part]) =>
        name.endsWith('/') ? [] : [[name.toLowerCase(), part] as const],
      ),
    );
    this.#checkTypes();
    for (const name of this.#parts.keys()) {
      if (name.endsWith('.rels')) this.#checkRelationships(name);
      else if (name.endsWith('.xml')) this.#checkPart(name);
    }
    this.#checkWorkbook();
  }

  #say(fault: string): void {
    this.faults.push(fault);
  }

  #read(name: string): XmlDocument | undefined {
    const key = name.toLowerCase();
    if (this.#xml.has(key)) return this.#xml.get(key);
    const bytes = this.#parts.get(key);
    let xml: XmlDocument | undefined;
    try {
      xml = bytes && XmlDocument.parse(bytes, SHEET_PREFIXES);
    } catch (error) {
      this.#say(`${name}: ${String(error)}`);
    }
    this.#xml.set(key, xml);
    return xml;
  }

  #checkTypes(): void {
    const xml = this.#read('[content_types].xml');
    if (!xml) return;
    const all = xml.root.children.map((element) => xml.attributes(element));
    const extensions = all.flatMap(({ Extension }) =>
      Extension === undefined ? [] : [Extension.toLowerCase()],
    );
    const names = all.flatMap(({ PartName }) =>
      PartName === undefined ? [] : [PartName.slice(1).toLowerCase()],
    );
    for (const name of doubled(names)) this.#say(`${name} has two types`);
    for (const extension of doubled(extensions)) this.#say(`.${extension} has two types`);
    for (const name of names)
      if (!this.#parts.has(name)) this.#say(`the type of ${name}, which is not there`);
    for (const name of this.#parts.keys()) {
      if (name === '[content_types].xml' || names.includes(name)) continue;
      if (!extensions.includes(name.slice(name.lastIndexOf('.') + 1))) this.#say(`${name} has no type`);
    }
  }

  #targets(name: string): Map<string, string> {
    const xml = this.#read(relationshipsOf(name));
    const targets = new Map<string, string>();
    for (const element of xml?.root.children ?? []) {
      const { Id = '', Target = '', TargetMode } = xml!.attributes(element);
      // A place in the workbook is no part.
      const isPart = TargetMode !== 'External' && !Target.startsWith('#');
      targets.set(Id, isPart ? resolveTarget(name, Target).toLowerCase() : '');
    }
    return targets;
  }

  #checkRelationships(name: string): void {
    const owner = name.replace(/(^|\/)_rels\/(.*)\.rels$/, '$1$2');
    if (owner !== '' && !this.#parts.has(owner)) this.#say(`relationships of ${owner}, which is not there`);
    const xml = this.#read(name);
    for (const id of doubled((xml?.root.children ?? []).map((one) => xml!.attribute(one, 'Id') ?? '')))
      this.#say(`${name}: two relationships ${id}`);
    for (const target of this.#targets(owner).values())
      if (target !== '' && !this.#parts.has(decodeURI(target)))
        this.#say(`${name} leads to ${target}, which is not there`);
  }

  #checkPart(name: string): void {
    const xml = this.#read(name);
    if (!xml) return;
    const targets = this.#targets(name);
    const visit = (element: XmlElement) => {
      const attributes = xml.attributes(element);
      for (const [key, value] of Object.entries(attributes)) {
        if (/^r:(?:id|embed|link|pict)$/.test(key) && value !== '' && !targets.has(value))
          this.#say(`${name}: <${element.name}> names the relationship ${value}, which is not there`);
      }
      if (
        COUNTED.test(element.name) &&
        attributes.count !== undefined &&
        Number(attributes.count) !== element.children.length
      )
        this.#say(`${name}: <${element.name}> counts wrongly`);
      for (const child of element.children) if (child.name !== 'row') visit(child);
    };
    visit(xml.root);
  }

  #checkWorkbook(): void {
    const [main] = [...this.#targetsOfType('', 'officeDocument')];
    const xml = main === undefined ? undefined : this.#read(main);
    if (main === undefined || !xml) return;
    const children = (list: string) => xml.child(xml.root, list)?.children ?? [];
    const sheets = children('sheets').map((element) => xml.attributes(element));
    for (const [what, all] of [
      ['name', sheets.map(({ name = '' }) => name.toLowerCase())],
      ['sheetId', sheets.map(({ sheetId = '' }) => sheetId)],
      ['relationship', sheets.map((sheet) => sheet['r:id'] ?? '')],
    ] as const)
      for (const one of doubled(all)) this.#say(`two sheets with the ${what} ${one}`);
    for (const { name = '' } of sheets)
      if (name.length > 31 || name === '' || /[\\/?*[\]:]/.test(name))
        this.#say(`a sheet cannot be called ${name}`);
    const isShown = ({ state }: { state?: string }) => state === undefined || state === 'visible';
    if (!sheets.some(isShown)) this.#say('no sheet can be seen');
    for (const view of children('bookViews')) {
      const active = Number(xml.attribute(view, 'activeTab') ?? 0);
      if (active > 0 && !sheets[active]) this.#say('a sheet in front that is not there');
      else if (sheets[active] && !isShown(sheets[active])) this.#say('the sheet in front is hidden');
    }
    const names = children('definedNames').map((element) => xml.attributes(element));
    for (const one of doubled(
      names.map(({ name = '', localSheetId = '' }) => `${name.toLowerCase()} ${localSheetId}`),
    ))
      this.#say(`the name ${one} is there twice`);
    for (const { localSheetId } of names)
      if (localSheetId !== undefined && !sheets[Number(localSheetId)])
        this.#say('a name of a sheet that is not there');
    const [styles] = this.#targetsOfType(main, 'styles');
    const [strings] = this.#targetsOfType(main, 'sharedStrings');
    const counts = this.#styleCounts(styles);
    const stringCount = strings === undefined ? 0 : (this.#read(strings)?.root.children.length ?? 0);
    const tables: { id: string; name: string }[] = [];
    const targets = this.#targets(main);
    for (const sheet of sheets) {
      const part = targets.get(sheet['r:id'] ?? '');
      if (part !== undefined) this.#checkSheet(part, counts, stringCount, tables);
    }
    for (const id of doubled(tables.map((table) => table.id))) this.#say(`two tables with the id ${id}`);
    const taken = [...tables.map(({ name }) => name), ...names.map(({ name = '' }) => name.toLowerCase())];
    for (const { name } of tables)
      if (taken.indexOf(name) !== taken.lastIndexOf(name))
        this.#say(`the name of the table ${name} is taken`);
  }

  *#targetsOfType(name: string, type: string): Generator<string> {
    const xml = this.#read(relationshipsOf(name));
    for (const element of xml?.root.children ?? []) {
      const attributes = xml!.attributes(element);
      if (attributes.Type?.endsWith(`/${type}`))
        yield resolveTarget(name, attributes.Target ?? '').toLowerCase();
    }
  }

  #styleCounts(name: string | undefined): { formats: number; changes: number } {
    const xml = name === undefined ? undefined : this.#read(name);
    const count = (list: string) => xml?.child(xml.root, list)?.children.length ?? 0;
    if (xml) {
      const lists = { fontId: count('fonts'), fillId: count('fills'), borderId: count('borders') };
      for (const list of ['cellXfs', 'cellStyleXfs'])
        for (const element of xml.child(xml.root, list)?.children ?? []) {
          const format = xml.attributes(element);
          for (const [attribute, length] of Object.entries(lists))
            if (Number(format[attribute] ?? 0) >= Math.max(1, length))
              this.#say(`a format with a ${attribute} that is not there`);
        }
    }
    return { formats: Math.max(1, count('cellXfs')), changes: count('dxfs') };
  }

  #checkSheet(
    name: string,
    { formats, changes }: { formats: number; changes: number },
    stringCount: number,
    tables: { id: string; name: string }[],
  ): void {
    const xml = this.#read(name);
    if (xml?.root.name !== 'worksheet') return;
    const texts = this.#checkRows(name, xml, formats, stringCount);
    const visit = (element: XmlElement) => {
      const { dxfId } = xml.attributes(element);
      if (dxfId !== undefined && Number(dxfId) >= changes) this.#say(`${name}: a dxfId that is not there`);
      for (const child of element.children) if (child.name !== 'row') visit(child);
    };
    visit(xml.root);
    const merges = (xml.child(xml.root, 'mergeCells')?.children ?? []).flatMap((element) =>
      areasOf(xml.attribute(element, 'ref')),
    );
    if (merges.some((area) => sizeOf(area) === 1)) this.#say(`${name}: one cell is merged`);
    if (areOverlapping(merges)) this.#say(`${name}: merged cells overlap`);
    for (const element of xml.root.children.filter((one) => one.name === 'conditionalFormatting'))
      this.#checkReferences(name, xml, element);
    for (const list of ['dataValidations', 'hyperlinks', 'protectedRanges'])
      for (const element of xml.child(xml.root, list)?.children ?? [])
        this.#checkReferences(name, xml, element);
    const areas: Area[] = [];
    for (const target of this.#targetsOfType(name, 'table')) {
      const area = this.#checkTable(target, texts, tables);
      if (area) areas.push(area);
    }
    if (areOverlapping(areas)) this.#say(`${name}: tables overlap`);
    if (areas.some((area) => merges.some((merge) => intersection(area, merge))))
      this.#say(`${name}: merged cells in a table`);
    const parts = xml.child(xml.root, 'tableParts')?.children.length ?? 0;
    if (parts !== areas.length) this.#say(`${name}: ${parts} table parts, ${areas.length} tables`);
    for (const target of this.#targetsOfType(name, 'comments')) this.#checkComments(target);
  }

  #checkReferences(name: string, xml: XmlDocument, element: XmlElement): void {
    const { ref, sqref } = xml.attributes(element);
    const text = sqref ?? ref ?? '';
    if (text.split(/\s+/).some((one) => !areaOfReference(one)))
      this.#say(`${name}: <${element.name}> is of ${JSON.stringify(text)}`);
  }

  /** Texts of the cells that hold one, by their references: inline ones, and shared ones by their number. */
  #checkRows(name: string, xml: XmlDocument, formats: number, stringCount: number): Map<string, string> {
    const texts = new Map<string, string>();
    let [row, isAscending] = [0, true];
    const groups = new Map<string, string>();
    for (const element of xml.child(xml.root, 'sheetData')?.children ?? []) {
      const number = Number(xml.attribute(element, 'r') ?? row + 1);
      isAscending &&= number > row && number <= 1_048_576;
      row = number;
      let column = -1;
      for (const cell of element.children) {
        const { r, s, t } = xml.attributes(cell);
        const area = r === undefined ? undefined : areaOfReference(r);
        const at = area ? area[1] : column + 1;
        isAscending &&= at > column && at < 16_384 && (!area || area[0] === row - 1);
        column = at;
        if (Number(s ?? 0) >= formats) this.#say(`${name}: a cell with a format that is not there`);
        const value = xml.child(cell, 'v');
        if (t === 's' && !(Number(value && xml.content(value)) < stringCount))
          this.#say(`${name}: a cell with a text that is not there`);
        if (t === 'e' && value && !xml.content(value).startsWith('#'))
          this.#say(`${name}: an error that is none`);
        if (t === 's' && value) texts.set(r ?? '', `#${xml.content(value)}`);
        const inline = xml.child(cell, 'is');
        if (inline) texts.set(r ?? '', xml.content(inline));
        const formula = xml.child(cell, 'f');
        if (formula) this.#checkFormula(name, xml, formula, groups);
      }
    }
    if (!isAscending) this.#say(`${name}: rows or cells in disorder`);
    return texts;
  }

  #checkFormula(name: string, xml: XmlDocument, formula: XmlElement, groups: Map<string, string>): void {
    const { t, si, ref } = xml.attributes(formula);
    if (t !== 'shared') {
      if (t === 'array' && !areaOfReference(ref ?? '')) this.#say(`${name}: an array that fills nothing`);
      return;
    }
    if (ref !== undefined) {
      if (groups.has(si ?? '')) this.#say(`${name}: two shared formulas of one number`);
      groups.set(si ?? '', ref);
    } else if (!groups.has(si ?? '')) this.#say(`${name}: a share of a formula that is not there`);
  }

  #checkTable(
    name: string,
    texts: ReadonlyMap<string, string>,
    tables: { id: string; name: string }[],
  ): Area | undefined {
    const xml = this.#read(name);
    if (!xml) return undefined;
    const { id = '', ref = '', displayName = '', headerRowCount } = xml.attributes(xml.root);
    tables.push({ id, name: displayName.toLowerCase() });
    const area = areaOfReference(ref);
    const columns = (xml.child(xml.root, 'tableColumns')?.children ?? []).map((element) =>
      xml.attributes(element),
    );
    if (!area) {
      this.#say(`${name}: a table of no cells`);
      return undefined;
    }
    if (columns.length !== area[3] - area[1] + 1) this.#say(`${name}: a table of another number of columns`);
    for (const what of ['id', 'name'] as const)
      for (const one of doubled(columns.map((column) => (column[what] ?? '').toLowerCase())))
        this.#say(`${name}: two columns with the ${what} ${one}`);
    const filter = xml.attribute(xml.child(xml.root, 'autoFilter'), 'ref');
    if (filter !== undefined) {
      const filtered = areaOfReference(filter);
      if (!filtered || !intersection(filtered, area) || filtered[0] !== area[0])
        this.#say(`${name}: filters other cells`);
    }
    if (headerRowCount !== '0')
      for (const [index, column] of columns.entries()) {
        const text = texts.get(cellAddress(area[0], area[1] + index));
        const isHeading =
          text?.startsWith('#') ||
          text?.replace(/_x([0-9A-F]{4})_/g, '') === column.name?.replace(/_x([0-9A-F]{4})_/g, '');
        if (!isHeading) this.#say(`${name}: the heading of a column is not its name`);
      }
    return area;
  }

  #checkComments(name: string): void {
    const xml = this.#read(name);
    if (!xml) return;
    const authors = xml.child(xml.root, 'authors')?.children.length ?? 0;
    const all = (xml.child(xml.root, 'commentList')?.children ?? []).map((element) =>
      xml.attributes(element),
    );
    for (const ref of doubled(all.map((comment) => comment.ref ?? '')))
      this.#say(`${name}: two comments in ${ref}`);
    if (all.some(({ authorId }) => !(Number(authorId) < authors))) this.#say(`${name}: a comment of nobody`);
  }
}

const relationshipsOf = (name: string): string => name.replace(/([^/]*)$/, '_rels/$1.rels');
const areasOf = (reference: string | undefined): Area[] => areasOfReferences(reference ?? '');

function doubled(all: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(all.filter((one) => seen.has(one) || !seen.add(one)))];
}

function areOverlapping(areas: readonly Area[]): boolean {
  if (areas.length > 2_000) return false;
  return areas.some((one, index) => areas.slice(index + 1).some((other) => intersection(one, other)));
}

/** What of a workbook's package does not hold together, each in a few words. */
export function packageFaults(bytes: Uint8Array): readonly string[] {
  return new PackageCheck(bytes).faults;
}
