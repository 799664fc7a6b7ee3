import type { TalkControllerDeps } from '../../electron/talk/active-talk.ts';

const nothing = (): void => undefined;

/** For tests of talks in which nobody wants to have written down what they say. */
export const disabledOwnWords: TalkControllerDeps['ownWords'] = {
  begin: nothing,
  hear: nothing,
  said: nothing,
  listen: nothing,
};
