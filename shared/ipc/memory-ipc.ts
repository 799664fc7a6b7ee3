import { z } from 'zod';
import {
  maxSentences,
  type MemorySent,
  type MemoryView,
  type TalkPassagesView,
} from '../memory/memory-view.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';
import { passagePlace } from './request-schemas.ts';

const id = z.string().min(1).max(40);
/** Bounds the message; the memory itself limits a sentence. */
const text = z.string().max(4000);

/** Requests about what Parley knows of the user. */
export const memoryRequests = {
  memory: request(noInput).answers<MemoryView>().withChangedBy('memoryChanged'),
  addSentence: request(z.strictObject({ text })),
  changeSentence: request(
    z.strictObject({ id, text: text.optional(), on: z.boolean().optional() }),
  ),
  /** Moves a sentence to an index. */
  moveSentence: request(z.strictObject({ id, to: z.number().int().min(0).max(maxSentences) })),
  removeSentence: request(z.strictObject({ id })),
  /** Takes back the last removal. */
  restoreSentence: request(z.strictObject({ id })),
  removeAllSentences: request(noInput),
  /** Accepts a suggestion, or rejects it. */
  answerSuggestion: request(z.strictObject({ id, accepted: z.boolean() })),
  /** Passages of earlier conversations that were found by the words of the talk. */
  talkPassages: request(noInput).answers<TalkPassagesView>().withChangedBy('talkPassagesChanged'),
  leaveOutTalkPassage: request(z.strictObject({ place: passagePlace })),
};

export type MemoryHandlers = HandlersOf<typeof memoryRequests>;

export interface MemoryNotices {
  readonly memoryChanged: MemoryView;
  readonly talkPassagesChanged: TalkPassagesView;
  /** How much of the memory the last request sent, if it differs from the request before. */
  readonly memorySent: MemorySent;
}
