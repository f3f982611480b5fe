/** What is typed or chosen in a field of a form, without spaces around it; empty where there is no such field. */
export const fieldText = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();
