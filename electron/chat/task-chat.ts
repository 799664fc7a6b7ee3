// The chat that does a task of a talk: its thread, its options and its result.

import type { ChatThread, ToolCall, Turn } from '../../shared/chat/chat-thread.ts';
import { type ChatSettings, chatSettings } from '../../shared/settings/assistant-settings.ts';
import type { ToolTask, TalkView, ToolResult } from '../../shared/talk/talk-view.ts';
import { disarmTags } from '../tools/tool-prompt.ts';

interface OrderedTurn {
  /** By which turns are sorted: for a turn of Parley its number, for words and tasks that follow it a fraction more. */
  readonly order: number;
  readonly turn: Turn;
}

const maxTurns = 12;
const maxTurnLength = 600;

/**
 * The newest turns of a talk as a chat that a task continues: what was heard of Parley's turns, what was written down of
 * the user's words, and earlier tasks. Omits the user's `words`, because the task itself has them.
 */
export function taskThread(
  id: string,
  { captions, userTranscript }: Pick<TalkView, 'captions' | 'userTranscript'>,
  tasks: readonly ToolTask[],
  words: string,
): ChatThread {
  const parleyTurns = captions.flatMap(({ turn, text, heard: letters }): OrderedTurn[] => {
    const spokenText = text.slice(0, letters).trim().slice(-maxTurnLength);
    return spokenText === ''
      ? []
      : [{ order: turn, turn: assistantTurn(`said-${turn}`, spokenText) }];
  });
  const userTurns = userTranscript.phrases.flatMap(({ at, after, state, text }): OrderedTurn[] =>
    state !== 'written' || text === '' || words.includes(text)
      ? []
      : [{ order: (after ?? 0) + 0.3, turn: userTurn(`own-${at}`, text) }],
  );
  const taskTurns = tasks.flatMap(({ id: each, after, answer, words: asked }): OrderedTurn[] =>
    answer === undefined
      ? []
      : [
          { order: (after ?? 0) + 0.5, turn: userTurn(`asked-${each}`, asked) },
          { order: (after ?? 0) + 0.6, turn: answer },
        ],
  );
  const turns = [...parleyTurns, ...userTurns, ...taskTurns]
    .toSorted((one, other) => one.order - other.order)
    .slice(-maxTurns)
    .map(({ turn }) => turn);
  return { id, title: '', createdAt: 0, updatedAt: 0, pinned: false, turns, branches: [] };
}

function userTurn(id: string, text: string): Turn {
  return { role: 'user', id, at: 0, parts: [{ type: 'text', text: text.slice(-maxTurnLength) }] };
}

function assistantTurn(id: string, text: string): Turn {
  const state = { kind: 'done', cutShort: false } as const;
  return { role: 'assistant', id, at: 0, text, state, speechSeconds: 0 };
}

/** The options of Chat, but streamed, and with the default system prompt, speech, voice and thinking. */
export function taskOptions(chat: ChatSettings): ChatSettings {
  const { system, speech, voice, thinking } = chatSettings.initial;
  return { ...chat, system, speech, voice, thinking, streaming: true };
}

/** The result for the talk's next session, without tags that the model could take for its own. */
export function toToolResult(
  { id, words }: ToolTask,
  answer: string,
  calls: readonly ToolCall[],
): ToolResult {
  return {
    id,
    asked: disarmTags(words),
    calls: calls.map(({ tool, server, response }) => ({
      tool: disarmTags(tool),
      server: disarmTags(server),
      response: disarmTags(response),
    })),
    answer: disarmTags(answer.trim()),
  };
}
