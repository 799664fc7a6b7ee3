import type { OpenedLink } from '../../shared/app/program.ts';
import { appError, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { LinkHandlers } from '../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { presetIds } from '../../shared/settings/preset.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

/** All that a link may say. Whoever makes one is a stranger: it names no server and no words of its own. */
const startLink = /^parley:\/\/start\/?(?:\?preset=(?<preset>[a-z]{1,20}))?$/;

/** What a link proposes; never more than a form that the person confirms. */
export function readLink(link: string): OpenedLink {
  const found = startLink.exec(link);
  if (found === null) return { kind: 'refused', error: appError('linkUnknown') };
  const named = found.groups?.['preset'];
  if (named === undefined) return { kind: 'start' };
  const preset = presetIds.find((id) => id === named);
  if (preset === undefined) return { kind: 'refused', error: appError('linkPresetUnknown') };
  return { kind: 'start', preset };
}

/** The link that was opened last, until a page has dealt with it. */
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

/** Where the system keeps who opens Parley's links; whoever has it keeps it as the setting says. */
export interface LinkList {
  /** As a person finds it. */
  readonly place: string;
  readonly find: () => Promise<'on' | 'off'>;
  /** After what is being written there; where it cannot be written the setting says so. */
  readonly write: (on: boolean) => Promise<void>;
  readonly settled: () => Promise<void>;
}

/** Whether the system opens links with Parley, for who asks in a terminal. Only the desktop app has such a list. */
export class LinkSwitch {
  readonly #settings: Pick<SettingsStore, 'get' | 'change'>;
  #list: LinkList | undefined;

  constructor(settings: Pick<SettingsStore, 'get' | 'change'>) {
    this.#settings = settings;
  }

  serve(list: LinkList, lifetime: Lifetime): void {
    this.#list = list;
    lifetime.add(() => {
      this.#list = undefined;
    });
  }

  async state(): Promise<Outcome<'on' | 'off'>> {
    const list = this.#list;
    if (list === undefined) return failure('linksNotHere');
    await list.settled();
    return { ok: true, value: await list.find() };
  }

  /** As the switch in the settings; done when the system's list says it. */
  async set(on: boolean): Promise<Outcome<undefined>> {
    const list = this.#list;
    if (list === undefined) return failure('linksNotHere');
    const changed = this.#settings.change({ desktop: { links: on } });
    if (!changed.ok) return changed;
    // Also where the setting has said it before: somebody may have changed the list since.
    await list.write(on);
    const is = await list.find();
    if ((is === 'on') === on) return { ok: true, value: undefined };
    return failure('linksFailed', { path: list.place });
  }
}
