import { z } from 'zod';
import {
  type About,
  type OpenedLink,
  partNames,
  type PartName,
  type PartReport,
  type StoredData,
  storedDataKinds,
  type WindowsShown,
} from '../app/program.ts';
import type { WireBatch } from '../protocol/wire-frame.ts';
import type { UpdateView } from '../updates/update-view.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

const parts: z.ZodType<readonly PartName[]> = z
  .array(z.enum(partNames))
  .min(1)
  .max(partNames.length);

export const programRequests = {
  /** Name, version, host and runtime of the running program. */
  about: request(noInput).answers<About>(),
  /** Loads the named native parts; each result follows as a `partChecked` notice. */
  checkParts: request(z.strictObject({ parts })).answers<{ readonly checking: number }>(),
};

export type ProgramHandlers = HandlersOf<typeof programRequests>;

export interface ProgramNotices {
  readonly partChecked: PartReport;
}

export const privacyRequests = {
  storedData: request(noInput).answers<readonly StoredData[]>(),
  /** For good; the answer is what is still stored. Settings are not among it: they can be reset. */
  deleteStoredData: request(z.strictObject({ kind: z.enum([...storedDataKinds, 'all']) })).answers<
    readonly StoredData[]
  >(),
};

export type PrivacyHandlers = HandlersOf<typeof privacyRequests>;

export const logRequests = {
  /** Opens the folder of the log where the host can; where it is, in any case. */
  showLogs: request(noInput).answers<{ readonly path: string; readonly opened: boolean }>(),
};

export type LogHandlers = HandlersOf<typeof logRequests>;

/** Where in the page something is to be seen. */
export interface WantedPlace {
  /** Where it is left out, the page stays where it is. */
  readonly screen?: 'talk' | 'chat' | 'history' | 'settings' | undefined;
  readonly section?: 'desktop' | 'about' | 'endpoints' | undefined;
  /** A report of a problem is opened over it. */
  readonly report?: true | undefined;
  /** The guide is opened over it. */
  readonly guide?: true | undefined;
}

/** What a page may ask of the program's own windows. In a browser there are none. */
export const windowRequests = {
  windows: request(noInput).answers<WindowsShown | undefined>().changedBy('windowsShown'),
  showMini: request(noInput),
  /** Quits where it is the last window to be seen. */
  closeMini: request(noInput),
  /** The mini window goes, whether it stood in for it or beside it. */
  showMain: request(noInput),
  /** As the menu's Quit does. */
  quit: request(noInput),
};

export type WindowHandlers = HandlersOf<typeof windowRequests>;

export interface WindowNotices {
  readonly windowsShown: WindowsShown;
  /** Chosen outside the page: in the tray, in a menu, in a notification. */
  readonly placeWanted: WantedPlace;
}

/** Links of Parley's own, as `parley://start`, that were opened in another program. */
export const linkRequests = {
  openedLink: request(noInput).answers<OpenedLink | undefined>().changedBy('linkChanged'),
  dismissLink: request(noInput),
};

export type LinkHandlers = HandlersOf<typeof linkRequests>;

export interface LinkNotices {
  readonly linkChanged: OpenedLink | undefined;
}

/** The inspector's: nothing is looked at while no page watches. */
export const wireRequests = { watchWire: request(z.strictObject({ on: z.boolean() })) };

export type WireHandlers = HandlersOf<typeof wireRequests>;

export interface WireNotices {
  /** At most ten times a second. */
  readonly wire: WireBatch;
}

/** What a page may ask of new versions; what comes of it is posted. */
export const updateRequests = {
  updates: request(noInput).answers<UpdateView>().changedBy('updatesChanged'),
  checkForUpdates: request(noInput),
  /** The one that is offered. */
  fetchUpdate: request(noInput),
  /** Quits, and starts the version that waits, or the one before this. Not while a talk goes on. */
  switchVersion: request(z.strictObject({ to: z.enum(['next', 'previous']) })),
  /** One was told of the new version. */
  updateSeen: request(noInput),
};

export type UpdateHandlers = HandlersOf<typeof updateRequests>;

export interface UpdateNotices {
  readonly updatesChanged: UpdateView;
}
