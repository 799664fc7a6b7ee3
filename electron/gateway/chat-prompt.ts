import { maxClientText } from '../../shared/protocol/client-event-fields.ts';
import type {
  ChatMessage,
  ChatTurnEvent,
  ContentPart,
} from '../../shared/protocol/realtime-api.ts';
import { pictureTokens } from '../../shared/vision/vision-frame.ts';
import { countSoundTokens, countTextTokens } from './context-window.ts';
import { pictureKind, type RequestProblem, sliceProblem } from './gateway-model.ts';

/** The gateway refuses further turns of a chat while this many wait for an answer. */
export const maxWaitingTurns = 16;

/** A chat turn as the demonstration model reads it. */
export interface ChatPrompt {
  readonly system: string;
  /** The user's newest message, and the user's earlier ones. */
  readonly text: string;
  readonly earlier: readonly string[];
  /** Pictures and sounds of the newest message. */
  readonly images: readonly Uint8Array[];
  readonly sounds: readonly Float32Array[];
  readonly tokens: number;
}

export function readChatPrompt({ messages, maxSlices }: ChatTurnEvent): ChatPrompt {
  const userMessages = messages.filter(({ role }) => role === 'user').map(partsOf);
  const newest = userMessages.at(-1) ?? [];
  const all = messages.flatMap(partsOf);
  return {
    system: messages
      .flatMap((each) => (each.role === 'system' ? textOf(partsOf(each)) : []))
      .join('\n'),
    text: textOf(newest),
    earlier: userMessages.slice(0, -1).map(textOf),
    images: newest.flatMap((part) => (part.type === 'image' ? [part.image] : [])),
    sounds: newest.flatMap((part) => (part.type === 'audio' ? [part.audio] : [])),
    tokens: all.reduce((sum, part) => sum + tokensOf(part, maxSlices ?? 1), 0),
  };
}

export function chatTurnProblem({
  messages,
  maxNewTokens,
  maxSlices,
}: ChatTurnEvent): RequestProblem | undefined {
  if (messages.length === 0) return { code: 'missing_field', message: 'messages is required' };
  if (maxNewTokens !== undefined && !(Number.isInteger(maxNewTokens) && maxNewTokens > 0))
    return invalid('generation.max_new_tokens must be a whole number above 0');
  const characters = messages
    .flatMap(partsOf)
    .reduce((sum, part) => sum + countCharacters(part), 0);
  if (characters > maxClientText)
    return invalid(`messages are longer than ${String(maxClientText)} characters`);
  const images = messages.flatMap(partsOf).filter((part) => part.type === 'image');
  if (images.some(({ image }) => pictureKind(image) === undefined))
    return invalid('image decode failed');
  return sliceProblem(maxSlices);
}

const invalid = (message: string): RequestProblem => ({ code: 'invalid_payload', message });

function partsOf({ content }: ChatMessage): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function textOf(parts: readonly ContentPart[]): string {
  return parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}

const countCharacters = (part: ContentPart): number =>
  part.type === 'text' ? part.text.length : 0;

function tokensOf(part: ContentPart, slices: number): number {
  switch (part.type) {
    case 'text':
      return countTextTokens(part.text);
    case 'image':
      return pictureTokens(slices);
    case 'audio':
      return countSoundTokens(part.audio.length);
    case 'video':
      // The demonstration does not see videos.
      return 0;
  }
}
