import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { OwnWordsHandlers } from '../../../shared/ipc/talk-ipc.ts';
import type { OwnWordsController } from '../../talk/own-words/own-words-controller.ts';
import type { TapeWords } from './tape-words.ts';

interface Deps {
  readonly ownWords: Pick<OwnWordsController, 'correct' | 'tryAgain'>;
  readonly tapeWords: Pick<TapeWords, 'write'>;
  /** In a record that stands on the disk. */
  readonly correctWords: (talk: string, at: number, text: string) => Promise<Outcome<undefined>>;
}

/** What the requests about the person's own words do. */
export function createOwnWordsHandlers({
  ownWords,
  tapeWords,
  correctWords,
}: Deps): OwnWordsHandlers {
  return {
    correctOwnWords: async ({ talk, at, text }) => {
      const words = text.trim().replaceAll(/\s+/gu, ' ');
      if (ownWords.correct(talk, at, words)) return undefined;
      return talk === undefined ? failure('ownWordsGone') : correctWords(talk, at, words);
    },
    writeTapeWords: ({ talk }) => tapeWords.write(talk),
    writeOwnWordsAgain: () => {
      ownWords.tryAgain();
    },
  };
}
