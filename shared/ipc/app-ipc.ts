import { z } from 'zod';
import {
  nativeLibraryNames,
  storedDataKinds,
  type About,
  type OpenedLink,
  type NativeLibraryName,
  type NativeLibraryReport,
  type StoredData,
  type VisibleWindows,
  type UpdateView,
} from '../app/program.ts';
import type { WireBatch } from '../protocol/wire-frame.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

const libraries: z.ZodType<readonly NativeLibraryName[]> = z
  .array(z.enum(nativeLibraryNames))
  .min(1)
  .max(nativeLibraryNames.length);

export const programRequests = {
  about: request(noInput).answers<About>(),
  /** Loads native libraries. Each result follows as a `libraryChecked` notice. */
  checkLibraries: request(z.strictObject({ libraries })).answers<{ readonly checking: number }>(),
};

export type ProgramHandlers = HandlersOf<typeof programRequests>;

export interface ProgramNotices {
  readonly libraryChecked: NativeLibraryReport;
}

export const privacyRequests = {
  storedData: request(noInput).answers<readonly StoredData[]>(),
  /** Deletes permanently and returns what is left. Settings are not included, because they can be reset. */
  deleteStoredData: request(z.strictObject({ kind: z.enum([...storedDataKinds, 'all']) })).answers<
    readonly StoredData[]
  >(),
};

export type PrivacyHandlers = HandlersOf<typeof privacyRequests>;

export const logRequests = {
  /** Opens the log folder if the host can. Returns its path in any case. */
  showLogs: request(noInput).answers<{ readonly path: string; readonly opened: boolean }>(),
};

export type LogHandlers = HandlersOf<typeof logRequests>;

/** A place in the page to show. */
export interface NavigationTarget {
  /** If absent, the page stays on its screen. */
  readonly screen?: 'talk' | 'chat' | 'history' | 'settings' | undefined;
  readonly section?: 'desktop' | 'about' | 'endpoints' | undefined;
  /** Opens the problem report on top. */
  readonly report?: true | undefined;
  /** Opens the guide on top. */
  readonly guide?: true | undefined;
}

/** Requests about the windows of Parley. A browser host has none. */
export const windowRequests = {
  windows: request(noInput).answers<VisibleWindows | undefined>().withChangedBy('windowsShown'),
  showMini: request(noInput),
  /** If the mini window is the last visible one, Parley does what the setting for closing says. */
  closeMini: request(noInput),
  /** Shows the main window and closes the mini window. */
  showMain: request(noInput),
  /** The same as Quit in the menu. */
  quit: request(noInput),
};

export type WindowHandlers = HandlersOf<typeof windowRequests>;

export interface WindowNotices {
  readonly windowsShown: VisibleWindows;
  /** The place that the user chose in the tray, a menu or a notification. */
  readonly placeWanted: NavigationTarget;
}

/** `parley://` links that were opened in another program. */
export const linkRequests = {
  openedLink: request(noInput).answers<OpenedLink | undefined>().withChangedBy('linkChanged'),
  dismissLink: request(noInput),
};

export type LinkHandlers = HandlersOf<typeof linkRequests>;

export interface LinkNotices {
  readonly linkChanged: OpenedLink | undefined;
}

/** Wire frames are collected only while a page watches. */
export const wireRequests = { watchWire: request(z.strictObject({ on: z.boolean() })) };

export type WireHandlers = HandlersOf<typeof wireRequests>;

export interface WireNotices {
  /** Posted at most 10 times a second. */
  readonly wire: WireBatch;
}

/** Requests about updates. Progress follows as notices. */
export const updateRequests = {
  updates: request(noInput).answers<UpdateView>().withChangedBy('updatesChanged'),
  checkForUpdates: request(noInput),
  /** Downloads the offered update. */
  fetchUpdate: request(noInput),
  /** Quits and starts the installed update, or the previous version. Refused during a talk. */
  switchVersion: request(z.strictObject({ to: z.enum(['next', 'previous']) })),
  /** The user has seen the notice about the new version. */
  updateSeen: request(noInput),
};

export type UpdateHandlers = HandlersOf<typeof updateRequests>;

export interface UpdateNotices {
  readonly updatesChanged: UpdateView;
}
