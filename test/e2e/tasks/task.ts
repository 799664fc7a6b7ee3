import type { ElectronApplication, Page } from '@playwright/test';
import { type Language, languages } from '../../../shared/i18n/languages.ts';
import {
  type CoreMessages,
  fillMessage,
  type PageMessages,
} from '../../../shared/i18n/messages.ts';
import type { PageSettingsPatch } from '../../../shared/settings/redacted-settings.ts';
import type { XPanel } from '../desktop/x-panel.ts';

/** Where a task finds the person: `heard` is a talk in which something was said, `seeing` one with the camera. */
export type Beginning = 'idle' | 'talk' | 'heard' | 'seeing' | 'ended' | 'chat' | 'replay';

/** What is pointed at, as a person and a screen reader know it. */
export interface Target {
  readonly role: Parameters<Page['getByRole']>[0] | 'words';
  readonly name?: string | RegExp;
  readonly within?: Target;
  /** Counted from the first, where there are several. */
  readonly nth?: number;
  /** What is read before one goes on. */
  readonly after?: string;
  /** In the small window. */
  readonly mini?: true;
}

/** Each is one thing that a hand does. */
export type Action =
  | { readonly do: 'click' | 'hold'; readonly at: Target }
  | { readonly do: 'key'; readonly key: string }
  /** Through the screen's own keyboard, for what the system does with a key. */
  | { readonly do: 'systemKey'; readonly key: string }
  /** Into what has the keyboard; nobody clicks there first. */
  | { readonly do: 'type'; readonly text: string; readonly enter: boolean }
  | { readonly do: 'trayClick' }
  | { readonly do: 'trayMenu' }
  | { readonly do: 'trayItem'; readonly label: string };

/** What a task is seen in. */
export interface TaskWindow {
  readonly page: Page;
  readonly electron: ElectronApplication;
  readonly panel: XPanel;
  readonly words: TaskWords;
  /** Where the system's dialogs save. */
  readonly saved: string;
  readonly mini: () => Promise<Page>;
}

export interface Task {
  readonly id: string;
  /** As somebody would say it. */
  readonly said: string;
  readonly begins: Beginning;
  /** What was set before, where it matters. */
  readonly settings?: PageSettingsPatch;
  readonly actions: readonly Action[];
  /** What the system's own dialog to choose a file is given: that one is not Parley's. */
  readonly file?: string;
  /** True only where it worked. */
  readonly seen: (window: TaskWindow) => Promise<void>;
}

/** What is typed, in the languages that somebody has written it in. */
export type TypedTexts = Readonly<Partial<Record<Language, string>>> & { readonly en: string };

/** The words of the language in which the tasks are done. */
export interface TaskWords {
  readonly language: Language;
  readonly page: PageMessages;
  readonly desktop: CoreMessages['desktop'];
  /** What somebody types who speaks it. */
  readonly typed: (texts: TypedTexts) => string;
  /** One of several, as it is named everywhere. */
  readonly under: (what: string, which: string) => string;
}

export async function taskWordsOf(language: Language): Promise<TaskWords> {
  const [page, core] = await Promise.all([languages[language].page(), languages[language].core()]);
  return {
    language,
    page,
    desktop: core.desktop,
    typed: (texts) => texts[language] ?? texts.en,
    under: (what, which) => fillMessage(page.shell.under, { what, which }),
  };
}
