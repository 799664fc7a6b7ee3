import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { Tool } from '../tool.ts';
import { describeTime } from './clock-tools.ts';
import { answer, ownTool, textArgument } from './own-tool.ts';

export interface HistoryPassage {
  readonly title: string;
  readonly kind: 'talk' | 'chat';
  readonly at: number;
  readonly excerpt: string;
}

/** Finds passages in stored talks and chats, the newest first. */
export type SearchHistory = (
  query: string,
  maxPassages: number,
) => Promise<Outcome<readonly HistoryPassage[]>>;

const maxPassages = 6;

/** The tool that searches stored talks and chats. */
export function historyTools(search: SearchHistory): readonly Tool[] {
  return [
    ownTool({
      name: 'search_history',
      description: 'Searches earlier talks and chats with the user for words.',
      properties: { words: { type: 'string', minLength: 1, maxLength: 200 } },
      required: ['words'],
      words: [
        'earlier before last week yesterday said say talked told history remember discussed ago',
        '之前 上次 上周 昨天 说过 聊过 记得 以前 历史',
      ],
      run: async (args) => {
        const found = await search(textArgument(args, 'words'), maxPassages);
        if (!found.ok) return found;
        const lines = found.value.map(
          ({ title, kind, at, excerpt }) => `${describeTime(at)}, ${kind} "${title}": ${excerpt}`,
        );
        return answer(lines.length === 0 ? 'Nothing was found.' : lines.join('\n'));
      },
    }),
  ];
}
