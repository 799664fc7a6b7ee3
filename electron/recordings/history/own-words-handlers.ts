import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { OwnWordsHandlers } from '../../../shared/ipc/talk-ipc.ts';
import type { OwnWordsController } from '../../talk/own-words/own-words-controller.ts';
import type { TapeTranscriber } from './tape-transcriber.ts';

interface Deps {
  readonly ownWords: Pick<OwnWordsController, 'correct' | 'retry'>;
  readonly tapeTranscriber: Pick<TapeTranscriber, 'write'>;
  readonly correctWords: (talk: string, at: number, text: string) => Promise<Outcome<undefined>>;
}

export function createOwnWordsHandlers({
  ownWords,
  tapeTranscriber,
  correctWords,
}: Deps): OwnWordsHandlers {
  return {
    correctOwnWords: async ({ talk, at, text }) => {
      const words = text.trim().replaceAll(/\s+/gu, ' ');
      if (ownWords.correct(talk, at, words)) return undefined;
      return talk === undefined ? failure('ownWordsGone') : correctWords(talk, at, words);
    },
    writeTapeWords: ({ talk }) => tapeTranscriber.write(talk),
    writeOwnWordsAgain: () => {
      ownWords.retry();
    },
  };
}
