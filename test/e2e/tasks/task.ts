import type { ElectronApplication, Page } from '@playwright/test';
import { type Language, languages } from '../../../shared/i18n/languages.ts';
import {
  type CoreMessages,
  fillMessage,
  type PageMessages,
} from '../../../shared/i18n/messages.ts';
import type { PageSettingsPatch } from '../../../shared/settings/settings.ts';
import type { XPanel } from '../desktop/x-panel.ts';

// A task is something that a user wants, carried out in the window step by step in both languages.

/** The starting point of a task: `heard` is a talk during an answer, `seeing` one with the camera. */
export type StartingPoint = 'idle' | 'talk' | 'heard' | 'seeing' | 'ended' | 'chat' | 'replay';

/** An element as users and screen readers identify it. */
export interface Target {
  readonly role: Parameters<Page['getByRole']>[0] | 'words';
  readonly name?: string | RegExp;
  readonly within?: Target;
  /** The index among several matches. */
  readonly nth?: number;
  /** A text to wait for before the action. */
  readonly after?: string;
  readonly mini?: true;
}

export type Action =
  | { readonly do: 'click' | 'hold'; readonly at: Target }
  | { readonly do: 'key'; readonly key: string }
  /** Pressed through the X display, for keys that the system handles. */
  | { readonly do: 'systemKey'; readonly key: string }
  /** Typed into the focused element, without a click first. */
  | { readonly do: 'type'; readonly text: string; readonly enter: boolean }
  | { readonly do: 'trayClick' }
  | { readonly do: 'trayMenu' }
  | { readonly do: 'trayItem'; readonly label: string };

/** The window and helpers for actions and checks of a task. */
export interface TaskWindow {
  readonly page: Page;
  readonly electron: ElectronApplication;
  readonly panel: XPanel;
  readonly words: TaskWords;
  /** Where the replaced save dialogs put files. */
  readonly saved: string;
  readonly mini: () => Promise<Page>;
}

export interface Task {
  readonly id: string;
  /** The wish in a user's words. */
  readonly wish: string;
  readonly begins: StartingPoint;
  readonly settings?: PageSettingsPatch;
  readonly actions: readonly Action[];
  /** The file chosen in the system's dialog. */
  readonly file?: string;
  readonly verify: (window: TaskWindow) => Promise<void>;
}

/** A typed text per language; English is the fallback. */
export type TypedTexts = Readonly<Partial<Record<Language, string>>> & { readonly en: string };

/** The interface texts of the language of the tasks. */
export interface TaskWords {
  readonly language: Language;
  readonly page: PageMessages;
  readonly desktop: CoreMessages['desktop'];
  /** Chooses the typed text of the language. */
  readonly typed: (texts: TypedTexts) => string;
  /** A label with its current value, as the window writes it. */
  readonly labelWithValue: (what: string, which: string) => string;
}

export async function loadTaskWords(language: Language): Promise<TaskWords> {
  const [page, core] = await Promise.all([languages[language].page(), languages[language].core()]);
  return {
    language,
    page,
    desktop: core.desktop,
    typed: (texts) => texts[language] ?? texts.en,
    labelWithValue: (what, which) => fillMessage(page.shell.under, { what, which }),
  };
}

type Role = Target['role'];
type More = Omit<Target, 'role' | 'name'>;

export const target = (role: Role, name?: string | RegExp, more: More = {}): Target => ({
  role,
  ...(name === undefined ? {} : { name }),
  ...more,
});

export const click = (role: Role, name?: string | RegExp, more: More = {}): Action => ({
  do: 'click',
  at: target(role, name, more),
});

export const hold = (role: Role, name: string): Action => ({ do: 'hold', at: target(role, name) });

export const key = (key: string): Action => ({ do: 'key', key });

export const systemKey = (key: string): Action => ({ do: 'systemKey', key });

/** Types a text and presses Enter. */
export const type = (text: string): Action => ({ do: 'type', text, enter: true });

export const write = (text: string): Action => ({ do: 'type', text, enter: false });

/** Finds a command by a word, and runs it. */
export const ask = (words: TaskWords, texts: TypedTexts) => [
  key('Control+k'),
  type(words.typed(texts)),
];

/** Matches names that begin with a text, for example a label followed by its value. */
export const startingWith = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`, 'u');
