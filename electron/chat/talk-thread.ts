import type { ChatThread, Turn } from '../../shared/chat/chat-thread.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import type { TalkRequest } from '../../shared/tools/talk-request.ts';

interface OrderedTurn {
  /** The number of Parley's turn. The user's words and requests have a fraction, so that they sort after that turn. */
  readonly order: number;
  readonly turn: Turn;
}

const maxTurns = 12;
const maxCharacters = 600;

/**
 * The newest turns of a talk as a chat that a request continues: what was heard of Parley's turns, what was written down of
 * the user's words, and earlier requests. Omits the user's `words`, because the request itself has them.
 */
export function talkThread(
  id: string,
  { captions, ownWords }: Pick<TalkView, 'captions' | 'ownWords'>,
  requests: readonly TalkRequest[],
  words: string,
): ChatThread {
  const parleyTurns = captions.flatMap(({ turn, text, heard: letters }): OrderedTurn[] => {
    const spokenText = text.slice(0, letters).trim().slice(-maxCharacters);
    return spokenText === ''
      ? []
      : [{ order: turn, turn: assistantTurn(`said-${turn}`, spokenText) }];
  });
  const userTurns = ownWords.phrases.flatMap(({ at, after, state, text }): OrderedTurn[] =>
    state !== 'written' || text === '' || words.includes(text)
      ? []
      : [{ order: (after ?? 0) + 0.3, turn: userTurn(`own-${at}`, text) }],
  );
  const requestTurns = requests.flatMap(
    ({ id: each, after, answer, words: asked }): OrderedTurn[] =>
      answer === undefined
        ? []
        : [
            { order: (after ?? 0) + 0.5, turn: userTurn(`asked-${each}`, asked) },
            { order: (after ?? 0) + 0.6, turn: answer },
          ],
  );
  const turns = [...parleyTurns, ...userTurns, ...requestTurns]
    .toSorted((one, other) => one.order - other.order)
    .slice(-maxTurns)
    .map(({ turn }) => turn);
  return { id, title: '', createdAt: 0, updatedAt: 0, pinned: false, turns, branches: [] };
}

function userTurn(id: string, text: string): Turn {
  return { role: 'user', id, at: 0, parts: [{ type: 'text', text: text.slice(-maxCharacters) }] };
}

function assistantTurn(id: string, text: string): Turn {
  const state = { kind: 'done', cutShort: false } as const;
  return { role: 'assistant', id, at: 0, text, state, speechSeconds: 0 };
}
