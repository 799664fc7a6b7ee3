import type { AppError } from '../errors/app-error.ts';
import type { PresetId } from '../settings/preset.ts';
import type { RedactedSettings } from '../settings/settings.ts';
import type { ReleaseNotes } from '../updates/update-feed.ts';

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

/** Libraries outside TypeScript that Parley requires: native, or WebAssembly. */
export const nativeLibraryNames = ['portaudio', 'libvips'] as const;
export type NativeLibraryName = (typeof nativeLibraryNames)[number];

export type NativeLibraryState =
  | { readonly state: 'loads'; readonly detail: string }
  | { readonly state: 'fails'; readonly reason: string };

export type NativeLibraryReport = {
  readonly library: NativeLibraryName;
  readonly milliseconds: number;
} & NativeLibraryState;

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
export interface NativeLibraries {
  readonly load: (library: NativeLibraryName) => Promise<NativeLibraryState>;
}

/**
 * How this installation gets updates. `none`: not at all. `system`: from the package manager. `announces`: Parley only
 * notifies the user, because it cannot replace its files. `installs`: Parley replaces itself.
 */
export type UpdateMode = 'none' | 'system' | 'announces' | 'installs';

interface VersionInfo {
  readonly version: string;
  readonly notes: ReleaseNotes;
}

export type UpdateStep =
  | { readonly kind: 'idle' | 'checking' | 'newest' }
  /** The staged rollout has not reached this installation yet. */
  | { readonly kind: 'later'; readonly version: string }
  /** Waits for the user. `address` is the download page of the file. */
  | ({ readonly kind: 'offered'; readonly address: string } & VersionInfo)
  /** `fraction` is from 0 to 1. */
  | ({ readonly kind: 'fetching'; readonly fraction: number } & VersionInfo)
  /** Waits for the end of a talk. */
  | ({ readonly kind: 'waiting' } & VersionInfo)
  /** The version is installed, and runs after the next start. */
  | ({ readonly kind: 'ready' } & VersionInfo);

export interface UpdateView {
  readonly mode: UpdateMode;
  readonly step: UpdateStep;
  /** Why the last attempt failed. The running version is unchanged. */
  readonly problem: AppError | undefined;
  readonly previous: string | undefined;
  readonly unseenVersion: string | undefined;
}

export const noUpdates: UpdateView = {
  mode: 'none',
  step: { kind: 'idle' },
  problem: undefined,
  previous: undefined,
  unseenVersion: undefined,
};

/** The tape a report is about: a talk by id, the talk on screen, the open replay, or the latest taped talk. */
export type ReportOf =
  | { readonly kind: 'talk'; readonly id: string }
  | { readonly kind: 'shown' }
  | { readonly kind: 'replay' }
  | { readonly kind: 'last' };

/** A file of a report, for review before saving. */
export interface ReportFile {
  readonly name: string;
  readonly bytes: number;
  /** The beginning of the file's content, or a description. */
  readonly preview: string;
}

/** A report that waits to be saved or dropped. */
export interface PreparedReport {
  readonly files: readonly ReportFile[];
  /** When the report's tape was recorded (ISO 8601); undefined without a tape. */
  readonly recordedAt: string | undefined;
}
