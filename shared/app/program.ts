import type { AppError } from '../errors/app-error.ts';
import type { PresetId } from '../settings/preset.ts';
import type { RedactedSettings } from '../settings/redacted-settings.ts';

/** Which of the three hosts runs the core. */
export type HostName = 'desktop' | 'browser' | 'terminal';

/** What a person or a bug report wants to know about the running program. */
export interface About {
  readonly name: string;
  readonly version: string;
  readonly host: HostName;
  readonly runtime: readonly RuntimeVersion[];
}

export interface RuntimeVersion {
  readonly name: string;
  readonly version: string;
}

/** The native parts that Parley cannot do its work without. */
export const partNames = ['portaudio', 'libvips'] as const;
export type PartName = (typeof partNames)[number];

/** Whether a native part loads here, and if not, why and what to do about it. */
export type PartState =
  | { readonly state: 'loads'; readonly detail: string }
  | { readonly state: 'fails'; readonly reason: string };

export type PartReport = { readonly part: PartName; readonly milliseconds: number } & PartState;

/** Which of the program's own windows are to be seen. */
export interface WindowsShown {
  readonly main: boolean;
  readonly mini: boolean;
  /** Parley goes on when the last of them is closed. */
  readonly stays?: true;
}

/** What a page knows before it can ask its host for anything, so that nothing moves once that answers. */
export interface FirstState {
  readonly firstSteps: FirstSteps;
  /** Left out where the page is given to whoever asks for it. */
  readonly settings?: RedactedSettings;
  readonly windows?: WindowsShown;
}

/** The page's `meta` in which its host writes it. */
export const firstStateMetaName = 'parley-first-state';

/** For a page of the program's own, which nobody else is given. */
export const firstStateOf = (settings: RedactedSettings, windows: WindowsShown): FirstState => ({
  firstSteps: firstStepsOf(settings),
  settings,
  windows,
});

/** Whether whoever comes is led through the first steps. */
export type FirstSteps = 'due' | 'done';

export function firstStepsOf(settings: {
  readonly firstRun: { readonly done: boolean };
}): FirstSteps {
  return settings.firstRun.done ? 'done' : 'due';
}

/** What a page is to tell about how it came to be loaded, besides what it always shows. */
export const recoveryNotes = ['pageCrashed', 'pageHung', 'restarted', 'safeStart'] as const;

export type RecoveryNote = (typeof recoveryNotes)[number];

/** In the page's address, because it is told before the page has asked for anything. */
export const recoveryParameter = 'after';

export function withRecoveryNote(address: string, note: RecoveryNote | undefined): string {
  if (note === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${recoveryParameter}=${note}`;
}

/**
 * A link of Parley's that was opened somewhere: what it proposes, which nobody does before the person has
 * confirmed it, or why it is not followed.
 */
export type OpenedLink =
  | { readonly kind: 'start'; readonly preset?: PresetId | undefined }
  | { readonly kind: 'refused'; readonly error: AppError };

/** What Parley keeps of a person on this machine, and can delete. */
export const storedDataKinds = [
  'chats',
  'talks',
  'tapes',
  'voices',
  'tokens',
  'logs',
  'crashes',
] as const;

export type StoredDataKind = (typeof storedDataKinds)[number];

export interface StoredData {
  readonly kind: StoredDataKind;
  /** The folder or file it is in. */
  readonly place: string;
  readonly count: number;
  /** On the disk. */
  readonly bytes: number;
}
