import { failure } from '../../shared/errors/app-error.ts';
import { unwrap } from '../ipc/request-refused-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { OwnWordsHandlers } from './controller-handlers.ts';
import type { OwnWordsController } from './own-words-controller.ts';

interface Deps {
  readonly ownWords: Pick<OwnWordsController, 'correct' | 'tryAgain'>;
  /** In a record that stands on the disk. */
  readonly correctWords: (talk: string, at: number, text: string) => Promise<Outcome<undefined>>;
}

/** What the requests about the person's own words do. */
export function createOwnWordsHandlers({ ownWords, correctWords }: Deps): OwnWordsHandlers {
  return {
    correctOwnWords: async ({ talk, at, text }) => {
      const words = text.trim().replaceAll(/\s+/gu, ' ');
      if (ownWords.correct(talk, at, words)) return undefined;
      return unwrap(
        talk === undefined ? failure('ownWordsGone') : await correctWords(talk, at, words),
      );
    },
    writeOwnWordsAgain: () => {
      ownWords.tryAgain();
      return undefined;
    },
  };
}
