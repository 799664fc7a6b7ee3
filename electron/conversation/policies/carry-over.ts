import { contextTokens } from '../../../shared/protocol/protocol-limits.ts';
import { estimateTokens, lastTextThatFits } from './token-estimate.ts';
import type { TranscriptTurn } from './transcript.ts';

export interface CarryOverOptions {
  /** Oldest first. */
  readonly turns: readonly TranscriptTurn[];
  /** The person's own, without what was carried over before. */
  readonly instructions: string | undefined;
  readonly locale: 'en' | 'zh';
  readonly mostTokens?: number | undefined;
}

/** An eighth of the model's memory: minutes of talk, and the new session hardly ends the sooner. */
const share = contextTokens / 8;

const words = {
  en: {
    begin: '--- Record of the conversation so far ---',
    about:
      'This conversation goes on from an earlier session. Below is what you said in it, oldest first. What the person said is not on record. Where a line ends in […], you were interrupted there. Do not read this out or mention it; go on naturally.',
    end: '--- End of the record ---',
  },
  zh: {
    begin: '--- 此前对话的记录 ---',
    about:
      '本次对话接续之前的会话。以下是你此前说过的话，从早到晚排列。用户说的话没有记录。以[…]结尾的一行表示你在那里被打断。不要念出或提及这段记录，自然地继续对话。',
    end: '--- 记录结束 ---',
  },
} as const;

/**
 * Instructions for the session that goes on: the person's own, and after them a short record of what
 * Parley said. The newest is kept; of what does not fit the oldest is left out.
 */
export function carryOver({
  turns,
  instructions,
  locale,
  mostTokens = share,
}: CarryOverOptions): string | undefined {
  const { begin, about, end } = words[locale];
  const frame = estimateTokens(`${begin}\n${about}\n${end}\n`);
  const lines = newestLines(turns, mostTokens - frame);
  if (lines.length === 0) return instructions;
  const record = [begin, about, ...lines, end].join('\n');
  return instructions === undefined || instructions.trim() === ''
    ? record
    : `${instructions}\n\n${record}`;
}

function newestLines(turns: readonly TranscriptTurn[], mostTokens: number): readonly string[] {
  const lines: string[] = [];
  let left = mostTokens;
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
