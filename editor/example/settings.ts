import { signal } from '@preact/signals';
import type { ExampleSettings, Person, Template } from '../../example/api.ts';

const current = signal<ExampleSettings | null>(null);

/** Takes the settings when the server has told them. */
export function takeSettings(settings: ExampleSettings): void {
  current.value = settings;
}

/** Whether the settings are there. */
export const ready = (): boolean => current.value !== null;

export const people = (): readonly Person[] => current.value?.people ?? [];
export const templates = (): readonly Template[] => current.value?.templates ?? [];
export const fileTypes = (): readonly string[] => current.value?.fileTypes ?? [];
/** Whether the document server opens files of a type. */
export const opens = (fileType: string): boolean => current.value?.openedTypes.includes(fileType) ?? true;
/** Whether it has an editor for files of a type; what else it opens is only shown. */
export const edits = (fileType: string): boolean => current.value?.editedTypes.includes(fileType) ?? true;
export const maxFileBytes = (): number => current.value?.maxFileBytes ?? 0;

/** Address of the script that opens editors. */
export const editorScript = (): string =>
  `${current.value?.documentServer ?? ''}/web-apps/apps/api/documents/api.js`;

/** The account with an id. */
export function personOf(id: string | null | undefined): Person | undefined {
  return people().find((one) => one.id === id);
}
