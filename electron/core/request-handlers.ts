import type { About, PartName } from '../../shared/about.ts';
import type { Handlers } from '../../shared/ipc/contract.ts';
import type { ControllerHandlers } from '../controllers/controller-handlers.ts';
import type { TalkHandlers } from '../controllers/talk-handlers.ts';
import type { NoticeBoard } from '../ipc/notice-board.ts';
import type { Clock } from '../ports/clock.ts';
import type { NativeParts } from '../ports/native-parts.ts';
import type { VisionHandlers } from '../controllers/vision-handlers.ts';

interface Deps {
  readonly about: About;
  readonly clock: Clock;
  readonly nativeParts: NativeParts;
  readonly notices: NoticeBoard;
  readonly vision: VisionHandlers;
  readonly talk: TalkHandlers;
  readonly controllers: ControllerHandlers;
}

/** What each request of the contract does. */
export function createRequestHandlers({
  about,
  clock,
  nativeParts,
  notices,
  vision,
  talk,
  controllers,
}: Deps): Handlers {
  async function checkPart(part: PartName): Promise<void> {
    const began = clock.now();
    const state = await nativeParts.load(part);
    notices.post('partChecked', { part, milliseconds: clock.now() - began, ...state });
  }

  return {
    ...controllers,
    about: () => about,
    checkParts: ({ parts }) => {
      const wanted = new Set(parts);
      // Not awaited: each result is its own notice, and a port's load never rejects.
      for (const part of wanted) void checkPart(part);
      return { checking: wanted.size };
    },
    ...vision,
    ...talk,
  };
}
