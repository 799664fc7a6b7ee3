import type { AppError } from '../errors/app-error.ts';
import type { PresetId } from '../settings/preset.ts';
import type { RedactedSettings } from '../settings/redacted-settings.ts';

export type HostName = 'desktop' | 'browser' | 'terminal';

/** The running program, as About and bug reports show it. */
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

/** Native libraries that Parley requires. */
export const partNames = ['portaudio', 'libvips'] as const;
export type PartName = (typeof partNames)[number];

export type PartState =
  | { readonly state: 'loads'; readonly detail: string }
  | { readonly state: 'fails'; readonly reason: string };

export type PartReport = { readonly part: PartName; readonly milliseconds: number } & PartState;

/** Which windows of Parley are visible. */
export interface VisibleWindows {
  readonly main: boolean;
  readonly mini: boolean;
  /** Parley continues after its last window closes. */
  readonly staysRunning?: true;
}

/** State that the host writes into the page, so that the layout does not change when the first reply arrives. */
export interface FirstState {
  readonly firstSteps: FirstStepsStatus;
  /** Absent if the host serves the page to any client. */
  readonly settings?: RedactedSettings;
  readonly windows?: VisibleWindows;
}

/** The name of the `meta` element that has the first state. */
export const firstStateMetaName = 'parley-first-state';

/** Creates the first state for a page that only this program loads. */
export const createFirstState = (
  settings: RedactedSettings,
  windows: VisibleWindows,
): FirstState => ({
  firstSteps: firstStepsStatus(settings),
  settings,
  windows,
});

/** Whether the page shows the first-run steps. */
export type FirstStepsStatus = 'due' | 'done';

export function firstStepsStatus(settings: {
  readonly firstRun: { readonly done: boolean };
}): FirstStepsStatus {
  return settings.firstRun.done ? 'done' : 'due';
}

/** Why the host loaded the page again, which the page shows as a note. */
export const recoveryNotes = ['pageCrashed', 'pageHung', 'restarted', 'safeStart'] as const;

export type RecoveryNote = (typeof recoveryNotes)[number];

/** The query parameter for the note, which the page shows before any request. */
export const recoveryParameter = 'after';

export function withRecoveryNote(address: string, note: RecoveryNote | undefined): string {
  if (note === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${recoveryParameter}=${note}`;
}

/** A `parley://` link from another program. The user confirms it before it starts a talk. */
export type OpenedLink =
  | { readonly kind: 'start'; readonly preset?: PresetId | undefined }
  | { readonly kind: 'refused'; readonly error: AppError };

/** Data that Parley stores on this machine and can delete. */
export const storedDataKinds = [
  'chats',
  'talks',
  'tapes',
  'voices',
  'memory',
  'tokens',
  'logs',
  'crashes',
] as const;

export type StoredDataKind = (typeof storedDataKinds)[number];

export interface StoredData {
  readonly kind: StoredDataKind;
  readonly place: string;
  readonly count: number;
  /** Bytes on the disk. */
  readonly bytes: number;
}

/** Loads native libraries. `load` never rejects: a failure becomes the reason in the state. */
export interface NativeParts {
  readonly load: (part: PartName) => Promise<PartState>;
}
