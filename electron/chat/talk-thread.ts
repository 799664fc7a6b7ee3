import type { ChatThread, Turn } from '../../shared/chat/chat-thread.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import type { TalkRequest } from '../../shared/tools/talk-request.ts';

interface PlacedTurn {
  /** Parley's turns count from 1; the user's words and requests follow the turn that had begun by then. */
  readonly place: number;
  readonly turn: Turn;
}

const maxTurns = 12;
const maxLetters = 600;

/**
 * The newest turns of a talk as a chat that a request continues. It has the heard part of Parley's turns, the user's
 * words if they were written down, and earlier requests. `words` are left out, because the request repeats them.
 */
export function talkThread(
  id: string,
  { captions, ownWords }: Pick<TalkView, 'captions' | 'ownWords'>,
  requests: readonly TalkRequest[],
  words: string,
): ChatThread {
  const heard = captions.flatMap(({ turn, text, heard: letters }): PlacedTurn[] => {
    const said = text.slice(0, letters).trim().slice(-maxLetters);
    return said === '' ? [] : [{ place: turn, turn: assistantTurn(`said-${turn}`, said) }];
  });
  const own = ownWords.phrases.flatMap(({ at, after, state, text }): PlacedTurn[] =>
    state !== 'written' || text === '' || words.includes(text)
      ? []
      : [{ place: (after ?? 0) + 0.3, turn: userTurn(`own-${at}`, text) }],
  );
  const earlier = requests.flatMap(({ id: each, after, answer, words: asked }): PlacedTurn[] =>
    answer === undefined
      ? []
      : [
          { place: (after ?? 0) + 0.5, turn: userTurn(`asked-${each}`, asked) },
          { place: (after ?? 0) + 0.6, turn: answer },
        ],
  );
  const turns = [...heard, ...own, ...earlier]
    .toSorted((one, other) => one.place - other.place)
    .slice(-maxTurns)
    .map(({ turn }) => turn);
  return { id, title: '', createdAt: 0, updatedAt: 0, pinned: false, turns, branches: [] };
}

function userTurn(id: string, text: string): Turn {
  return { role: 'user', id, at: 0, parts: [{ type: 'text', text: text.slice(-maxLetters) }] };
}

function assistantTurn(id: string, text: string): Turn {
  const state = { kind: 'done', cutShort: false } as const;
  return { role: 'assistant', id, at: 0, text, state, speechSeconds: 0 };
}
