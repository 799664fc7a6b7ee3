import type { OpenedLink, StoredData, StoredDataKind, WindowsShown } from '../app/program.ts';
import type { WireBatch } from '../protocol/wire-frame.ts';
import type { UpdateView } from '../updates/update-view.ts';
import type { Nothing } from './reply.ts';

export interface PrivacyRequests {
  readonly storedData: { readonly input: Nothing; readonly value: readonly StoredData[] };
  /** For good; the answer is what is still stored. Settings are not among it: they can be reset. */
  readonly deleteStoredData: {
    readonly input: { readonly kind: StoredDataKind | 'all' };
    readonly value: readonly StoredData[];
  };
}

export interface LogRequests {
  /** Opens the folder of the log where the host can; where it is, in any case. */
  readonly showLogs: {
    readonly input: Nothing;
    readonly value: { readonly path: string; readonly opened: boolean };
  };
}

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
export interface WindowRequests {
  readonly windows: { readonly input: Nothing; readonly value: WindowsShown | undefined };
  readonly showMini: { readonly input: Nothing; readonly value: Nothing };
  /** Quits where it is the last window to be seen. */
  readonly closeMini: { readonly input: Nothing; readonly value: Nothing };
  /** The mini window goes, whether it stood in for it or beside it. */
  readonly showMain: { readonly input: Nothing; readonly value: Nothing };
  /** As the menu's Quit does. */
  readonly quit: { readonly input: Nothing; readonly value: Nothing };
}

export interface WindowNotices {
  readonly windowsShown: WindowsShown;
  /** Chosen outside the page: in the tray, in a menu, in a notification. */
  readonly placeWanted: WantedPlace;
}

/** Links of Parley's own, as `parley://start`, that were opened in another program. */
export interface LinkRequests {
  readonly openedLink: { readonly input: Nothing; readonly value: OpenedLink | undefined };
  readonly dismissLink: { readonly input: Nothing; readonly value: Nothing };
}

export interface LinkNotices {
  readonly linkChanged: OpenedLink | undefined;
}

/** The inspector's: nothing is looked at while no page watches. */
export interface WireRequests {
  readonly watchWire: { readonly input: { readonly on: boolean }; readonly value: Nothing };
}

export interface WireNotices {
  /** At most ten times a second. */
  readonly wire: WireBatch;
}

/** What a page may ask of new versions; what comes of it is posted. */
export interface UpdateRequests {
  readonly updates: { readonly input: Nothing; readonly value: UpdateView };
  readonly checkForUpdates: { readonly input: Nothing; readonly value: Nothing };
  /** The one that is offered. */
  readonly fetchUpdate: { readonly input: Nothing; readonly value: Nothing };
  /** Quits, and starts the version that waits, or the one before this. Not while a talk goes on. */
  readonly switchVersion: {
    readonly input: { readonly to: 'next' | 'previous' };
    readonly value: Nothing;
  };
  /** One was told of the new version. */
  readonly updateSeen: { readonly input: Nothing; readonly value: Nothing };
}

export interface UpdateNotices {
  readonly updatesChanged: UpdateView;
}
