import { deepestLevel, kindOfLabel, listIdAttribute, listLevelAttribute, type NewTag } from './list-marks.ts';

/** Word writes list paragraphs as ordinary ones with `mso-list:l0 level1 lfo1`, and their labels as text. */
export function markWordLists(root: Element, newTag: NewTag): void {
  const ids = new Map<string, string>();
  for (const paragraph of root.querySelectorAll('[style*="mso-list"]')) {
    const place = /mso-list:\s*(l\d+)\s+level(\d+)\s+(lfo\d+)/i.exec(paragraph.getAttribute('style') ?? '');
    if (!place) continue;
    const label = paragraph.querySelector('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]');
    const kind = kindOfLabel(label?.textContent ?? '');
    const level = Math.min(deepestLevel, Math.max(0, Number(place[2]) - 1));
    const list = `${place[1]} ${place[3]}`;
    // What the first level is decides; deeper levels take the labels that such a list has.
    const id = ids.get(list) ?? `new-${kind}-${newTag()}`;
    ids.set(list, id);
    paragraph.setAttribute(listIdAttribute, id);
    paragraph.setAttribute(listLevelAttribute, String(level));
  }
  for (const label of root.querySelectorAll('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]'))
    label.remove();
}
