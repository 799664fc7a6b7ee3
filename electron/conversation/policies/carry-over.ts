import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { contextTokens } from '../../../shared/protocol/protocol-limits.ts';
import { estimateTokens, lastTextThatFits } from './token-estimate.ts';
import type { TranscriptTurn } from './transcript.ts';

/** What the next session gets of the transcript, and within how many tokens. */
export interface CarryOverOptions {
  /** Oldest first. */
  readonly turns: readonly TranscriptTurn[];
  /** The person's own, without what was carried over before. */
  readonly instructions: string | undefined;
  readonly messages: CoreMessages['carryOver'];
  readonly maxTokens?: number | undefined;
}

/** An eighth of the model's memory: minutes of talk, and the new session hardly ends the sooner. */
const share = contextTokens / 8;

/**
 * Instructions for the session that goes on: the person's own, and after them a short record of what
 * Parley said. The newest is kept; of what does not fit the oldest is left out.
 */
export function carryOver({
  turns,
  instructions,
  messages,
  maxTokens = share,
}: CarryOverOptions): string | undefined {
  const { begin, about, end } = messages;
  const frame = estimateTokens(`${begin}\n${about}\n${end}\n`);
  const lines = newestLines(turns, maxTokens - frame);
  if (lines.length === 0) return instructions;
  const record = [begin, about, ...lines, end].join('\n');
  return instructions === undefined || instructions.trim() === ''
    ? record
    : `${instructions}\n\n${record}`;
}

function newestLines(turns: readonly TranscriptTurn[], maxTokens: number): readonly string[] {
  const lines: string[] = [];
  let left = maxTokens;
  for (const turn of turns.toReversed()) {
    const line = lineOf(turn);
    // With one more for the line's end.
    const cost = estimateTokens(line) + 1;
    if (cost > left) {
      // Rather the end of the newest than nothing.
      const rest = lines.length === 0 ? lastTextThatFits(line, left - 4) : '';
      return rest === '' ? lines : [`- … ${rest}`];
    }
    lines.unshift(line);
    left -= cost;
  }
  return lines;
}

/** One line, which cannot be taken for the record's own. */
function lineOf({ text, cut }: TranscriptTurn): string {
  const said = text.replaceAll(/\s+/gu, ' ').replaceAll(/-{3,}/gu, '—').trim();
  return `- ${said}${cut ? ' […]' : ''}`;
}
