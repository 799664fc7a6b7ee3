import type { TalkControllerDeps } from '../../electron/talk/active-talk.ts';

const nothing = (): void => undefined;

/** For talks without a transcript of the user's words. */
export const disabledUserTranscript: TalkControllerDeps['userTranscript'] = {
  begin: nothing,
  onEvent: nothing,
  pushAudio: nothing,
  listen: nothing,
};
