import type { ModelHardware } from '../../shared/model/local-model-state.ts';

export interface GraphicsCard extends NonNullable<ModelHardware['card']> {
  /** NVIDIA's compute capability, for example 8.9. */
  readonly computeCapability?: number | undefined;
}

const gibibyte = 1024 ** 3;
/** Cards of 12 GB report a little less. */
const fitBytes = 11.5 * gibibyte;
/** One duplex session with a context of 4096 tokens takes 9.3 GB. */
const sessionBytes = 9_300_000_000;
/** Memory that two sessions leave for the screen and other programs. */
const reserveBytes = 1_000_000_000;
/** Turing, the first generation with the tensor cores that llama.cpp uses. */
const recentCapability = 7.5;
const fitAppleBytes = 31 * gibibyte;

/** Estimates from measurements on other computers. Only the pace measured on this one is certain. */
export function judgeCard(card: GraphicsCard | undefined): ModelHardware['verdict'] {
  if (card === undefined) return 'noCard';
  const { kind, memoryBytes } = card;
  if (kind === 'apple') return judgeApple(card);
  // An Intel or unknown card that reports no memory shares the computer's.
  if (memoryBytes === undefined)
    return kind === 'intel' || kind === 'other' ? 'noCard' : 'uncertain';
  if (memoryBytes < sessionBytes) return 'tooSmall';
  if (kind !== 'nvidia' || memoryBytes < fitBytes) return 'uncertain';
  const { computeCapability = 0 } = card;
  return computeCapability >= recentCapability ? 'fit' : 'uncertain';
}

/**
 * Whether the card can hold a session of a talk and one of a chat. Never for Apple's chips, which share the computer's
 * memory and do not report how much of it is free.
 */
export function hasRoomForTwo(card: GraphicsCard | undefined): boolean {
  const { memoryBytes = 0, freeBytes } = card ?? {};
  return freeBytes !== undefined && memoryBytes >= 2 * sessionBytes + reserveBytes;
}

/** The free memory, in bytes, for a process for chats, and also for the process for talks if that is not loaded yet. */
export function requiredBytesForChat(isTalkLoaded: boolean): number {
  return isTalkLoaded ? sessionBytes : 2 * sessionBytes;
}

/** A base M4 is three to four times too slow; an M4 Max keeps up. */
function judgeApple({ name, memoryBytes = 0 }: GraphicsCard): ModelHardware['verdict'] {
  const isLarge = memoryBytes >= fitAppleBytes;
  if (/\b(?:Max|Ultra)\b/u.test(name)) return isLarge ? 'fit' : 'tooSmall';
  return /\bPro\b/u.test(name) && isLarge ? 'uncertain' : 'tooSmall';
}

/** The card with the best verdict, then with the most memory. */
export function bestCard(cards: readonly GraphicsCard[]): GraphicsCard | undefined {
  const rank = { fit: 3, uncertain: 2, tooSmall: 1, noCard: 0 } as const;
  return cards.toSorted(
    (one, other) =>
      rank[judgeCard(other)] - rank[judgeCard(one)] ||
      (other.memoryBytes ?? 0) - (one.memoryBytes ?? 0),
  )[0];
}
