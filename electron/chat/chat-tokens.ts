import type { Part } from '../../shared/chat/chat-thread.ts';
import { frameTokens } from '../../shared/protocol/protocol-limits.ts';

/** What a message costs besides what it says. */
const wrapping = 8;
const soundTokensPerSecond = 10;

/**
 * Tokens a text may need. Only the model's own tokenizer knows; these are at the upper end of what
 * is usual, because a history that is too long ends the session, and one that is too short only forgets.
 */
export function estimateTextTokens(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) tokens += tokensAt(text, index);
  return Math.ceil(tokens);
}

/** Letters of an alphabet come several to a token, those of Chinese alone. */
export function tokensAt(text: string, index: number): number {
  return text.charCodeAt(index) < 0x80 ? 0.3 : 1;
}

export function partTokens(part: Part, slices: number): number {
  switch (part.type) {
    case 'text':
      return estimateTextTokens(part.text);
    case 'image':
      return imageTokens(slices);
    case 'audio':
      return Math.ceil(part.seconds * soundTokensPerSecond) + 2;
  }
}

export function messageTokens(parts: readonly Part[], slices: number): number {
  return parts.reduce((sum, part) => sum + partTokens(part, slices), wrapping);
}

/** 64 at one slice and 192 at four are known; the others lie on the line through both. */
function imageTokens(slices: number): number {
  const perSlice = (frameTokens.fourSlices - frameTokens.oneSlice) / 3;
  return Math.ceil(frameTokens.oneSlice + (slices - 1) * perSlice);
}
