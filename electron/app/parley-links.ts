import type { OpenedLink } from '../../shared/app/program.ts';
import { appError, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { LinkHandlers } from '../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { presetIds } from '../../shared/settings/preset.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

/** The only valid form of a link. Links come from strangers, so they cannot name servers or contain text. */
const startLink = /^parley:\/\/start\/?(?:\?preset=(?<preset>[a-z]{1,20}))?$/;

/** Parses a link. A link only fills in a form that the user confirms. */
export function readLink(link: string): OpenedLink {
  const match = startLink.exec(link);
  if (match === null) return { kind: 'refused', error: appError('linkUnknown') };
  const name = match.groups?.['preset'];
  if (name === undefined) return { kind: 'start' };
  const preset = presetIds.find((id) => id === name);
  if (preset === undefined) return { kind: 'refused', error: appError('linkPresetUnknown') };
  return { kind: 'start', preset };
}

/** Holds the link opened last until a page has handled it. */
export class LinkController {
  readonly #post: PostNotice;
  #link: OpenedLink | undefined;

  constructor(post: PostNotice) {
    this.#post = post;
  }

  readonly handlers: LinkHandlers = {
    openedLink: () => this.#link,
    dismissLink: () => this.#set(undefined),
  };

  open(link: string): void {
    this.#set(readLink(link));
  }

  #set(link: OpenedLink | undefined): void {
    this.#link = link;
    this.#post('linkChanged', link);
  }
}

/** The system's registration of the app that opens Parley's links. */
export interface LinkRegistration {
  /** The registration's name in messages: the path of its file, or the system's name for it. */
  readonly location: string;
  readonly readState: () => Promise<'on' | 'off'>;
  /** Waits for pending writes, then writes. A failure is reported in the settings. */
  readonly write: (on: boolean) => Promise<void>;
  readonly settled: () => Promise<void>;
}

/** Lets the terminal read and change the link registration. Only the desktop app has one. */
export class LinkRegistrationControl {
  readonly #settings: Pick<SettingsStore, 'get' | 'change'>;
  #registration: LinkRegistration | undefined;

  constructor(settings: Pick<SettingsStore, 'get' | 'change'>) {
    this.#settings = settings;
  }

  serve(registration: LinkRegistration, lifetime: Lifetime): void {
    this.#registration = registration;
    lifetime.add(() => {
      this.#registration = undefined;
    });
  }

  async state(): Promise<Outcome<'on' | 'off'>> {
    const registration = this.#registration;
    if (registration === undefined) return failure('linksNotHere');
    await registration.settled();
    return { ok: true, value: await registration.readState() };
  }

  /** Changes the setting and the registration. Succeeds if the system then reports that state. */
  async set(on: boolean): Promise<Outcome<undefined>> {
    const registration = this.#registration;
    if (registration === undefined) return failure('linksNotHere');
    const changed = this.#settings.change({ desktop: { links: on } });
    if (!changed.ok) return changed;
    // Writes even if the setting has not changed, because the registration may have been changed outside
    // Parley.
    await registration.write(on);
    const state = await registration.readState();
    if ((state === 'on') === on) return { ok: true, value: undefined };
    return failure('linksFailed', { path: registration.location });
  }
}
