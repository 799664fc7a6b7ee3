import { appError } from '../../shared/errors/app-error.ts';
import type { OpenedLink } from '../../shared/opened-link.ts';
import { presetIds } from '../../shared/presets/preset.ts';
import type { LinkHandlers } from './controller-handlers.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

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
    dismissLink: () => {
      this.#set(undefined);
    },
  };

  open(link: string): void {
    this.#set(readLink(link));
  }

  #set(link: OpenedLink | undefined): void {
    this.#link = link;
    this.#post('linkChanged', link);
  }
}
