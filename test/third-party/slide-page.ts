import { eventually } from '../support/eventually.ts';
import type { OfficePage } from './editor-driver.ts';

/** What these tests use of the presentation editor's interface for plugins and embedding pages. */
interface SlideEditor {
  getCountPages(): number;
  goToPage(index: number): void;
  AddSlide(): void;
  asc_findText(search: Search, isNext: boolean, found: (count: number) => void): void;
}

interface Search {
  put_Text(text: string): void;
}

interface SlideGlobals {
  Asc: { editor: SlideEditor };
  AscCommon: { CSearchSettings: new () => Search };
}

/** Somebody with mouse and keyboard in front of a presentation. */
export class SlidePage {
  readonly office: OfficePage;

  constructor(office: OfficePage) {
    this.office = office;
  }

  count(): Promise<number> {
    return this.office.inEditor(
      () => (globalThis as unknown as SlideGlobals).Asc.editor.getCountPages(),
      undefined,
    );
  }

  /** Resolves when there are so many slides. */
  async hasSlides(count: number): Promise<void> {
    await eventually(
      () => this.count(),
      (present) => present === count,
    );
  }

  /** Shows a slide, counted from 0, and puts the keyboard there. */
  async goTo(slide: number): Promise<void> {
    await this.office.inEditor(
      (index) => (globalThis as unknown as SlideGlobals).Asc.editor.goToPage(index),
      slide,
    );
    await this.office.focus();
  }

  /** Selects the first shape of a slide, its title, and types at the end of what it says. */
  async typeInTitle(slide: number, text: string): Promise<void> {
    await this.goTo(slide);
    await this.office.press('Escape', 'Escape', 'Tab', 'Enter', 'End');
    await this.office.type(text);
    await this.office.press('Escape', 'Escape');
  }

  /** Adds a slide behind this one, and shows it. */
  async addSlide(after: number): Promise<void> {
    await this.goTo(after);
    await this.office.inEditor(
      () => (globalThis as unknown as SlideGlobals).Asc.editor.AddSlide(),
      undefined,
    );
  }

  async picture(slide: number, bytes: Uint8Array): Promise<void> {
    await this.goTo(slide);
    await this.office.putPicture(bytes);
  }

  async comment(slide: number, text: string): Promise<void> {
    await this.goTo(slide);
    await this.office.putComment(text);
  }

  /** Resolves when a text stands on some slide. */
  async shows(text: string): Promise<void> {
    await eventually(
      () =>
        this.office.inEditor((wanted) => {
          const { Asc, AscCommon } = globalThis as unknown as SlideGlobals;
          const search = new AscCommon.CSearchSettings();
          search.put_Text(wanted);
          return new Promise<number>((resolve) => Asc.editor.asc_findText(search, true, resolve));
        }, text) as unknown as Promise<number>,
      (count) => count > 0,
    );
  }
}
