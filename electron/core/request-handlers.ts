import type { Handlers } from '../../shared/ipc/contract.ts';
import { createAboutHandlers } from '../controllers/about-handlers.ts';
import type { ControllerHandlers } from '../controllers/controller-handlers.ts';
import type { TalkHandlers } from '../controllers/talk-controller.ts';
import type { VisionHandlers } from '../controllers/vision-handlers.ts';

type Deps = Parameters<typeof createAboutHandlers>[0] & {
  readonly vision: VisionHandlers;
  readonly talk: TalkHandlers;
  readonly controllers: ControllerHandlers;
};

/** What each request of the contract does. */
export function createRequestHandlers({ vision, talk, controllers, ...deps }: Deps): Handlers {
  return { ...controllers, ...createAboutHandlers(deps), ...vision, ...talk };
}
