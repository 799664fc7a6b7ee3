import type { CoreMessages } from '../../shared/i18n/messages.ts';
import { maxMemoryTokens, type MemorySentence } from '../../shared/memory/memory-view.ts';
import { contextTokens } from '../../shared/protocol/realtime-api.ts';
import { estimateTokens } from '../talk/policies/context-gauge.ts';
import { sentenceTokens } from './memory-edits.ts';

/** The memory as it is sent. */
export interface MemoryText {
  readonly text: string;
  readonly sentences: number;
  readonly leftOut: number;
  readonly tokens: number;
}

interface Room {
  /** The instructions that the memory is appended to. */
  readonly instructions: string | undefined;
  /** The documented context if undefined. */
  readonly contextTokens?: number | undefined;
}

/** The memory gets this share of the context after the instructions. The carry-over and the talk need the rest. */
const share = 1 / 8;

/** Formats as many of the switched-on sentences as fit, from the first on; undefined if none fits. */
export function formatForModel(
  all: readonly MemorySentence[],
  { begin, about, end }: CoreMessages['memory'],
  { instructions = '', contextTokens: size = contextTokens }: Room,
): MemoryText | undefined {
  const frame = estimateTokens(`${begin}\n${about}\n${end}\n`);
  const room = Math.min(maxMemoryTokens, (size - estimateTokens(instructions)) * share - frame);
  const on = all.filter((sentence) => sentence.on);
  const lines: string[] = [];
  let tokens = 0;
  for (const sentence of on) {
    const cost = sentenceTokens(sentence);
    if (tokens + cost > room) break;
    tokens += cost;
    lines.push(`- ${sentence.text}`);
  }
  if (lines.length === 0) return undefined;
  return {
    text: [begin, about, ...lines, end].join('\n'),
    sentences: lines.length,
    leftOut: on.length - lines.length,
    tokens: tokens + frame,
  };
}
