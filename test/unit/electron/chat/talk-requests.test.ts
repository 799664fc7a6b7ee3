import { describe, expect, it } from 'vitest';
import type { ChatTools } from '../../../../electron/chat/call-rounds.ts';
import { TalkRequests } from '../../../../electron/chat/talk-requests.ts';
import { clockTools } from '../../../../electron/tools/built-in/built-in-tools.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import { englishTalkToolPrompts } from '../../../../shared/i18n/en/prompts.ts';
import { OpenPage } from '../../../../shared/ipc/page.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { idleTalkView, type TalkRequest } from '../../../../shared/talk/talk-view.ts';
import type { UserPhrase } from '../../../../shared/talk/captions.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { seeded } from '../../../fakes/seeded.ts';

const tools: ChatTools = {
  list: () => clockTools(() => 0),
  isAlwaysAllowed: () => false,
  allowAlways: () => undefined,
  describeError: englishErrorMessage,
};

/** A live talk with the model on this computer. The test transcribes its phrases. */
class PhraseHarness {
  readonly clock = new FakeClock();
  readonly published: TalkRequest[] = [];
  #phrases: readonly UserPhrase[] = [];
  readonly requests = new TalkRequests({
    clock: this.clock,
    wallClock: () => 0,
    random: seeded(1),
    tools: () => tools,
    settings: () => ({ ...defaultSettings, tools: { ...defaultSettings.tools, talks: true } }),
    view: () => ({
      ...idleTalkView,
      ownWords: { ...idleTalkView.ownWords, phrases: this.#phrases },
    }),
    prompts: () => Promise.resolve(englishTalkToolPrompts),
    lastWords: () => Promise.resolve({ ok: true, value: 'Calculate 2 * 3' }),
    openSession: () => {
      throw new Error('no session may begin');
    },
    lacksChat: () => true,
    hasSameStart: () => true,
    answerCall: () => undefined,
    tell: () => undefined,
  });

  constructor() {
    this.requests.listen((request) => this.published.push(request));
    this.requests.begin({ id: 'server', incognito: false });
    this.requests.onTalkState({ phase: 'live' });
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
    this.requests.onPhrase(phrase);
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await flushPromises();
  }
}

describe('a request in a talk', () => {
  it('fails with an error if the model on this computer runs the talk', async () => {
    const harness = new PhraseHarness();
    expect(
      await harness.requests.handlers.askInTalk({ text: 'Calculate 2 * 3' }, new OpenPage()),
    ).toMatchObject({ ok: false, error: { code: 'requestOnComputer' } });
    harness.phrase(1000, 'Calculate 2 * 3');
    await harness.pass(2000);
    expect(harness.published.at(-1)).toMatchObject({
      words: 'Calculate 2 * 3',
      state: 'failed',
      error: { code: 'requestOnComputer' },
    });
  });

  it('joins the phrases of one sentence, and waits for one that is still being transcribed', async () => {
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

  it('is not made after the talk', async () => {
    const harness = new PhraseHarness();
    harness.phrase(1000, 'Calculate 17 times 23');
    harness.requests.onTalkState({ phase: 'ended' });
    await harness.pass(9000);
    harness.phrase(3000, 'Calculate 1 times 2');
    await harness.pass(9000);
    expect(harness.published).toEqual([]);
  });
});
