import { describe, expect, it } from 'vitest';
import {
  clockTools,
  historyTools,
  reminderTools,
} from '../../../../electron/tools/built-in/built-in-tools.ts';
import { asksForTool } from '../../../../electron/chat/spoken-requests.ts';
import type { Tool } from '../../../../electron/tools/tool.ts';
import { appError } from '../../../../shared/errors/app-error.ts';

const nothing = { ok: false, error: appError('toolNoDialog') } as const;
const reminders = { add: async () => nothing, list: () => [], cancel: async () => nothing };
const builtIn: readonly Tool[] = [
  ...clockTools(() => 0),
  ...reminderTools(reminders, () => 0),
  ...historyTools(async () => nothing),
];
const ofServer = (name: string): Tool => ({
  name,
  server: 'notes',
  description: '',
  schema: {},
  isRisky: false,
  run: async () => nothing,
});

describe('asksForTool', () => {
  it.each([
    'Remind me in ten minutes to call home.',
    'Could you remind me tomorrow?',
    'Please set a timer for five minutes',
    'Set another kitchen timer',
    'Cancel the reminder about home',
    'Which reminders do I have?',
    'Calculate 17 times 23.',
    'How much is 17 percent of 80?',
    "What's 12 times 12?",
    'What time is it in Tokyo?',
    'What did I say about the lighthouse last week?',
    'Look that up, please.',
    '十分钟后提醒我给家里打电话。',
    '帮我设个闹钟',
    '取消那个提醒',
    '算一下 17 乘 23',
    '现在几点了？',
    '我说过灯塔的什么事？',
    '查一下上次聊的灯塔',
  ])('accepts %j', (words) => {
    expect(asksForTool(words, builtIn)).toBe(true);
  });

  it.each([
    '',
    'It reminds me of home.',
    'That was a good time.',
    'I looked up at the sky.',
    "Don't remind me of that!",
    '别提醒我这件事。',
    'You said something about a lighthouse.',
    'I have ten minutes.',
    '这让我想起了家。',
    '看看这片海。',
    `remind me ${'and so on '.repeat(80)}`,
  ])('rejects %j', (words) => {
    expect(asksForTool(words, builtIn)).toBe(false);
  });

  it('rejects words for a tool that is off', () => {
    expect(
      asksForTool(
        'Remind me in ten minutes',
        clockTools(() => 0),
      ),
    ).toBe(false);
    expect(asksForTool('Remind me in ten minutes', [])).toBe(false);
  });

  it('accepts a server’s tool by its name, by its server’s name, and by “look up” if it searches', () => {
    const tools = [ofServer('read_graph')];
    expect(asksForTool('Use read graph for that.', tools)).toBe(true);
    expect(asksForTool('Ask notes about Tom.', tools)).toBe(true);
    expect(asksForTool('I like to read graph papers.', tools)).toBe(false);
    expect(asksForTool('Look it up.', tools)).toBe(false);
    expect(asksForTool('Look it up.', [ofServer('web_search')])).toBe(true);
    expect(asksForTool('Use it now.', [ofServer('it')])).toBe(false);
  });
});
