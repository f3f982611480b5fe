import { Fragment, type Mark, type Node } from 'prosemirror-model';

/** Ids that the reader of files gives: a letter and an ordinal. Those of editors begin with a client id. */
const fileId = /^[a-z]\d+$/;

const nodeIdentity = ['id', 'origin'] as const;
/** Marks that are nothing without the file they came from. */
const fileMarks = new Set(['rx', 'within']);

type Json = Record<string, unknown>;

/**
 * What nodes and marks of one version of a file are called in another. Ids, ordinals of elements and the indexes of
 * marks `rx` are only good for the version they were read from.
 */
export class IdentityMap {
  readonly #ids = new Map<string, string>();
  readonly #known = new Set<string>();
  /** By `<mark> <attribute> <value>`. */
  readonly #marks = new Map<string, unknown>();

  /** An id of the old version, whether or not it will have a counterpart. */
  know(node: Node): void {
    if (typeof node.attrs.id === 'string') this.#known.add(node.attrs.id);
  }

  pairNodes(old: Node, now: Node): void {
    if (typeof old.attrs.id !== 'string' || typeof now.attrs.id !== 'string') return;
    if (!this.#ids.has(old.attrs.id)) this.#ids.set(old.attrs.id, now.attrs.id);
  }

  pairMarks(old: readonly Mark[], now: readonly Mark[]): void {
    for (const mark of old) {
      const same = now.find(({ type }) => type === mark.type);
      for (const name of markIdentity(mark.type.name)) {
        const place = `${mark.type.name} ${name} ${mark.attrs[name]}`;
        if (same && mark.attrs[name] !== null && !this.#marks.has(place)) {
          this.#marks.set(place, same.attrs[name]);
        }
      }
    }
  }

  /** A step's JSON with the names of the new version, or null if all it does concerns what is not there any more. */
  translate(step: Json): Json | null {
    if (step.stepType === 'attr' && nodeIdentity.includes(step.attr as 'id')) {
      const value = this.#id(step.value);
      return value === null ? null : { ...step, value };
    }
    if (step.mark !== undefined) {
      const mark = this.#mark(step.mark as Json);
      return mark && { ...step, mark };
    }
    if (Array.isArray(step.steps)) {
      const steps = (step.steps as Json[]).flatMap((one) => this.translate(one) ?? []);
      return steps.length > 0 ? { ...step, steps } : null;
    }
    const slice = step.slice as Json | undefined;
    if (!Array.isArray(slice?.content)) return step;
    return { ...step, slice: { ...slice, content: slice.content.map((node: Json) => this.#node(node)) } };
  }

  #node(node: Json): Json {
    const attrs = { ...(node.attrs as Json | undefined) };
    for (const name of nodeIdentity) if (name in attrs) attrs[name] = this.#id(attrs[name]);
    return {
      ...node,
      ...(node.attrs !== undefined && { attrs }),
      ...(Array.isArray(node.marks) && { marks: node.marks.flatMap((mark: Json) => this.#mark(mark) ?? []) }),
      ...(Array.isArray(node.content) && { content: node.content.map((child: Json) => this.#node(child)) }),
    };
  }

  #mark(mark: Json): Json | null {
    const type = String(mark.type);
    const attrs = { ...(mark.attrs as Json | undefined) };
    for (const name of markIdentity(type)) {
      attrs[name] = this.#marks.get(`${type} ${name} ${attrs[name]}`) ?? null;
      if (attrs[name] === null && fileMarks.has(type)) return null;
    }
    return { ...mark, attrs };
  }

  #id(id: unknown): string | null {
    if (typeof id !== 'string') return null;
    return this.#ids.get(id) ?? (this.#known.has(id) || fileId.test(id) ? null : id);
  }
}

function markIdentity(type: string): readonly string[] {
  switch (type) {
    case 'rx':
      return ['index'];
    case 'within':
    case 'link':
      return ['key'];
    case 'ins':
    case 'del':
      return ['key', 'id'];
    default:
      return [];
  }
}

const canonical = new WeakMap<Node, Node>();

/** The node without what names it in its file: equal in two versions where nobody changed anything. */
export function withoutIdentity(node: Node): Node {
  const known = canonical.get(node);
  if (known) return known;
  const marks = node.marks.flatMap((mark) => anonymousMark(mark) ?? []);
  const made = node.isText
    ? node.mark(marks)
    : node.type.create(anonymousAttributes(node), childrenOf(node), marks);
  canonical.set(node, made);
  return made;
}

function childrenOf(node: Node): Fragment {
  return Fragment.fromArray(node.children.map(withoutIdentity));
}

function anonymousAttributes(node: Node): Json {
  const attrs: Json = { ...node.attrs };
  for (const name of nodeIdentity) if (name in attrs) attrs[name] = null;
  return attrs;
}

function anonymousMark(mark: Mark): Mark | null {
  if (fileMarks.has(mark.type.name)) return null;
  const names = markIdentity(mark.type.name);
  if (names.length === 0) return mark;
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  return mark.type.create({ ...mark.attrs, ...nulls });
}
