import type { About, PartName } from '../shared/about.ts';
import type { Handlers } from '../shared/ipc/contract.ts';
import type { DeskHandlers } from './desk/desk-handlers.ts';
import type { TalkHandlers } from './desk/talk-requests.ts';
import type { NoticeBoard } from './ipc/notice-board.ts';
import type { Clock } from './ports/clock.ts';
import type { NativeParts } from './ports/native-parts.ts';
import type { SeeingHandlers } from './seeing-requests.ts';

interface Needs {
  readonly about: About;
  readonly clock: Clock;
  readonly nativeParts: NativeParts;
  readonly notices: NoticeBoard;
  readonly seeing: SeeingHandlers;
  readonly talk: TalkHandlers;
  readonly desks: DeskHandlers;
}

/** What each request of the contract does. */
export function createHandlers({
  about,
  clock,
  nativeParts,
  notices,
  seeing,
  talk,
  desks,
}: Needs): Handlers {
  async function checkPart(part: PartName): Promise<void> {
    const began = clock.now();
    const state = await nativeParts.load(part);
    notices.post('partChecked', { part, milliseconds: clock.now() - began, ...state });
  }

  return {
    ...desks,
    about: () => about,
    checkParts: ({ parts }) => {
      const wanted = new Set(parts);
      // Not awaited: each result is its own notice, and a port's load never rejects.
      for (const part of wanted) void checkPart(part);
      return { checking: wanted.size };
    },
    ...seeing,
    ...talk,
  };
}
