import { describe, expect, it } from 'vitest';
import type { ChatTools } from '../../../../electron/chat/call-rounds.ts';
import { ToolTasks } from '../../../../electron/chat/tool-tasks.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import { englishTalkToolPrompts } from '../../../../shared/i18n/en/prompts.ts';
import { OpenPage } from '../../../../shared/ipc/page.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { idleTalkView, type ToolTask, type UserPhrase } from '../../../../shared/talk/talk-view.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { seeded } from '../../../fakes/seeded.ts';
import {
  clockTools,
  historyTools,
  reminderTools,
} from '../../../../electron/tools/built-in/built-in-tools.ts';
import { asksForTool } from '../../../../electron/chat/spoken-tasks.ts';
import type { Tool } from '../../../../electron/tools/tool.ts';
import { appError, type Outcome } from '../../../../shared/errors/app-error.ts';

const chatTools: ChatTools = {
  list: () => clockTools(() => 0),
  isAlwaysAllowed: () => false,
  allowAlways: () => undefined,
  describeError: englishErrorMessage,
};

/** A live talk with the model on this computer. The test transcribes its phrases. */
class PhraseHarness {
  readonly clock = new FakeClock();
  readonly published: ToolTask[] = [];
  lacksChat = true;
  words: Promise<Outcome<string>> = Promise.resolve({ ok: true, value: 'Calculate 2 * 3' });
  #phrases: readonly UserPhrase[] = [];
  readonly tasks = new ToolTasks({
    clock: this.clock,
    wallClock: () => 0,
    random: seeded(1),
    tools: () => chatTools,
    settings: () => ({ ...defaultSettings, tools: { ...defaultSettings.tools, talks: true } }),
    view: () => ({
      ...idleTalkView,
      userTranscript: { ...idleTalkView.userTranscript, phrases: this.#phrases },
    }),
    prompts: () => Promise.resolve(englishTalkToolPrompts),
    lastWords: () => this.words,
    openSession: () => {
      throw new Error('no session may begin');
    },
    contextTokens: () => undefined,
    lacksChat: () => this.lacksChat,
    chatStartsAsFastAsTalk: () => true,
    answerCall: () => undefined,
    tell: () => undefined,
  });

  constructor() {
    this.tasks.listen((task) => this.published.push(task));
    this.tasks.begin({ id: 'server', incognito: false });
    this.tasks.onTalkState({ phase: 'live' });
  }

  phrase(at: number, text: string, part: Partial<UserPhrase> = {}): void {
    const state = text === '' ? 'waiting' : 'written';
    const phrase = {
      at,
      seconds: 1,
      after: undefined,
      state,
      text,
      transcribed: 'byMachine',
      ...part,
    } as const;
    this.#phrases = [...this.#phrases.filter((other) => other.at !== at), phrase];
    this.tasks.onPhrase(phrase);
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await flushPromises();
  }
}

describe('a task in a talk', () => {
  it('fails with an error if the model on this computer runs the talk', async () => {
    const harness = new PhraseHarness();
    expect(
      await harness.tasks.handlers.askInTalk({ text: 'Calculate 2 * 3' }, new OpenPage()),
    ).toMatchObject({ ok: false, error: { code: 'requestOnComputer' } });
    harness.phrase(1000, 'Calculate 2 * 3');
    await harness.pass(2000);
    expect(harness.published.at(-1)).toMatchObject({
      words: 'Calculate 2 * 3',
      state: 'failed',
      error: { code: 'requestOnComputer' },
    });
  });

  it('joins the phrases of one sentence, and waits for a phrase that is still being transcribed', async () => {
    const harness = new PhraseHarness();
    harness.phrase(1000, 'Please calculate');
    harness.phrase(2500, '');
    await harness.pass(3000);
    harness.phrase(2500, '17 times 23');
    harness.phrase(9000, 'And now something else.');
    await harness.pass(1600);
    expect(harness.published.map(({ words }) => words)).toEqual(['Please calculate 17 times 23']);
    harness.phrase(2500, '17 times 24', { transcribed: 'corrected' });
    await harness.pass(9000);
    expect(harness.published).toHaveLength(1);
  });

  it('does not wait forever for a phrase that is never transcribed', async () => {
    const harness = new PhraseHarness();
    harness.phrase(1000, 'Calculate 17 times 23');
    harness.phrase(2200, '');
    for (let tries = 0; tries < 8; tries += 1) await harness.pass(1500);
    expect(harness.published.map(({ words }) => words)).toEqual(['Calculate 17 times 23']);
  });

  it('is not failed by the time limit of a call that was stopped before it', async () => {
    const harness = new PhraseHarness();
    harness.lacksChat = false;
    harness.words = new Promise(() => undefined);
    harness.tasks.definitions();
    harness.tasks.onToolCall('call', { name: 'current_time', args: {} });
    harness.tasks.onToolCall('call', undefined);
    await harness.pass(80_000);
    void harness.tasks.handlers.askInTalk({ text: undefined }, new OpenPage());
    await harness.pass(60_000);
    expect(harness.published.at(-1)).toMatchObject({ state: 'writing' });
  });

  it('is ignored after the talk has ended', async () => {
    const harness = new PhraseHarness();
    harness.phrase(1000, 'Calculate 17 times 23');
    harness.tasks.onTalkState({ phase: 'ended' });
    await harness.pass(9000);
    harness.phrase(3000, 'Calculate 1 times 2');
    await harness.pass(9000);
    expect(harness.published).toEqual([]);
  });
});

const nothing = { ok: false, error: appError('toolNoDialog') } as const;
const reminders = {
  add: async () => nothing,
  list: () => [],
  due: () => [],
  cancel: async () => nothing,
};
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

  it('accepts a server’s tool by the tool’s name, by the server’s name, and by “look up” if the tool searches', () => {
    const tools = [ofServer('read_graph')];
    expect(asksForTool('Use read graph for that.', tools)).toBe(true);
    expect(asksForTool('Ask notes about Tom.', tools)).toBe(true);
    expect(asksForTool('I like to read graph papers.', tools)).toBe(false);
    expect(asksForTool('Look it up.', tools)).toBe(false);
    expect(asksForTool('Look it up.', [ofServer('web_search')])).toBe(true);
    expect(asksForTool('Use it now.', [ofServer('it')])).toBe(false);
  });
});
