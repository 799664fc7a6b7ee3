import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { UserTranscriptHandlers } from '../../../shared/ipc/talk-ipc.ts';
import type { UserTranscriptController } from '../../talk/user-transcript/user-transcript-controller.ts';
import type { TapeTranscriber } from './tape-transcriber.ts';

interface Deps {
  readonly userTranscript: Pick<UserTranscriptController, 'correct' | 'retry'>;
  readonly tapeTranscriber: Pick<TapeTranscriber, 'write'>;
  readonly correctWords: (talk: string, at: number, text: string) => Promise<Outcome<undefined>>;
}

export function createUserTranscriptHandlers({
  userTranscript,
  tapeTranscriber,
  correctWords,
}: Deps): UserTranscriptHandlers {
  return {
    correctOwnWords: async ({ talk, at, text }) => {
      const words = text.trim().replaceAll(/\s+/gu, ' ');
      if (userTranscript.correct(talk, at, words)) return undefined;
      return talk === undefined ? failure('ownWordsGone') : correctWords(talk, at, words);
    },
    writeTapeWords: ({ talk }) => tapeTranscriber.write(talk),
    writeOwnWordsAgain: () => {
      userTranscript.retry();
    },
  };
}
