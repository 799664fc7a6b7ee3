import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { ToolResult } from '../../../shared/tools/talk-request.ts';
import { shortenText } from '../../../shared/text-tokens.ts';
import { framedLine } from './carry-over.ts';
import { estimateTokens } from './context-gauge.ts';

/** Limit of all results in the text of a session. */
const maxTokens = 400;
/** Share of the context, without the instructions, that results may take. */
const share = 1 / 8;
const maxPartTokens = 120;
/** Earlier sessions have spoken of older results. */
const maxResults = 5;

/** Formats the newest results for the model; undefined if none fits. */
export function formatResults(
  results: readonly ToolResult[],
  { begin, about, end, asked, returned, answered }: CoreMessages['talkTools'],
  room: { readonly contextTokens: number; readonly instructions: string | undefined },
): string | undefined {
  const frame = estimateTokens(`${begin}\n${about}\n${end}\n`);
  const free = (room.contextTokens - estimateTokens(room.instructions ?? '')) * share;
  let remainingTokens = Math.min(maxTokens, free) - frame;
  const lines: string[] = [];
  for (const result of results.slice(-maxResults).toReversed()) {
    const part = [
      line(asked, result.asked),
      ...result.calls.map(({ tool, server, response }) =>
        line(`${returned} ${server === '' ? tool : `${server} ${tool}`}:`, response),
      ),
      ...(result.answer === '' ? [] : [line(answered, result.answer)]),
    ];
    const cost = part.reduce((sum, each) => sum + estimateTokens(each) + 1, 0);
    if (cost > remainingTokens) break;
    remainingTokens -= cost;
    lines.unshift(...part);
  }
  return lines.length === 0 ? undefined : [begin, about, ...lines, end].join('\n');
}

/** One line that cannot end the frame, because a tool's text may contain the frame's marks. */
function line(label: string, text: string): string {
  const isLong = estimateTokens(text) > maxPartTokens;
  return framedLine(`${label} ${isLong ? shortenText(text, maxPartTokens).text : text}`);
}
