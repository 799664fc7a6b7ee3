// The instructions that a talk sends to its sessions: configured text, memory, results of tools, and the transcript.
import { describe, expect, it } from 'vitest';
import { englishTalkToolPrompts } from '../../../../shared/i18n/en/prompts.ts';
import type { ToolResult } from '../../../../shared/talk/talk-view.ts';
import { ConversationHarness, lost } from './conversation-harness.ts';

describe('the memory in the instructions of a session', () => {
  function talkWithMemory(memory: { text: string | undefined }, instructions?: string) {
    const asked: (string | undefined)[] = [];
    const harness = new ConversationHarness(
      { ...(instructions !== undefined && { settings: { instructions } }) },
      {
        memory: (given) => {
          asked.push(given);
          return memory.text;
        },
      },
    );
    const sent = () => harness.session.options.settings.instructions;
    return { harness, asked, sent };
  }

  it('follows the configured instructions', () => {
    const { sent, asked } = talkWithMemory({ text: 'The user lives in Bergen.' }, 'Be kind.');
    expect(sent()).toBe('Be kind.\n\nThe user lives in Bergen.');
    expect(asked).toEqual(['Be kind.']);
  });

  it('is the whole text if no instructions are configured', () => {
    expect(talkWithMemory({ text: 'The user lives in Bergen.' }).sent()).toBe(
      'The user lives in Bergen.',
    );
    expect(talkWithMemory({ text: undefined }).sent()).toBeUndefined();
  });

  it('comes before the transcript in a later session', () => {
    const { harness, sent } = talkWithMemory({ text: 'The user lives in Bergen.' }, 'Be kind.');
    harness.live().says('Hello there.', 1).pass(3000).ends();
    harness.session.close({ ...lost, by: 'client' });
    harness.talk.continueTalk('transcript');
    expect(sent()).toMatch(/^Be kind\.\n\nThe user lives in Bergen\.\n\n---.*Hello there\./su);
  });

  it('is left out of the next session if it was switched off during the talk', () => {
    const memory: { text: string | undefined } = { text: 'The user lives in Bergen.' };
    const { harness, sent } = talkWithMemory(memory, 'Be kind.');
    memory.text = undefined;
    harness.live().says('Hello there.', 1).pass(3000).ends();
    harness.session.close({ ...lost, by: 'client' });
    harness.talk.continueTalk('transcript');
    expect(sent()).toContain('Hello there.');
    expect(sent()).not.toContain('Bergen');
  });

  it('leaves less room for the transcript', () => {
    const turns = Array.from({ length: 400 }, (_, at) => ({
      text: `The answer number ${at} was this one, and it took some words.`,
      cut: false,
    }));
    const transcriptOf = (known: string | undefined) =>
      new ConversationHarness(
        { earlier: turns, settings: { instructions: 'word '.repeat(3500) } },
        { memory: () => known },
      ).session.options.settings.instructions?.match(/The answer number/gu)?.length ?? 0;
    expect(transcriptOf('fact '.repeat(300))).toBeLessThan(transcriptOf(undefined));
    expect(transcriptOf('fact '.repeat(300))).toBeGreaterThan(10);
  });
});

const result: ToolResult = {
  id: 'r1',
  asked: 'Calculate 6 * 7',
  calls: [{ tool: 'calculate', server: '', response: '42' }],
  answer: 'It is 42.',
};

/** A talk in which Parley has answered once, `seconds` after its beginning. */
function answeredTalk(
  seconds: number,
  options: ConstructorParameters<typeof ConversationHarness>[0] = {},
) {
  const harness = new ConversationHarness({
    handsOver: true,
    talkTools: englishTalkToolPrompts,
    ...options,
  });
  return harness
    .live()
    .says('Hello.', 1)
    .pass(2000)
    .ends()
    .pass(seconds * 1000);
}

const sent = (harness: ConversationHarness): string =>
  harness.session.options.settings.instructions ?? '';

describe('a result of a tool in a talk', () => {
  it('goes to the next session in the next pause, if sessions begin fast', () => {
    const harness = answeredTalk(25);
    harness.talk.addResult(result, 300);
    harness.pass(3000);
    expect(harness.sessions).toHaveLength(2);
    expect(sent(harness)).toMatch(/Returned by calculate: 42.*Hello\./su);
    expect(harness.emittedOf('resultsGiven')).toEqual([]);
    harness.live().pass(1000);
    expect(harness.emittedOf('handedOver')).toHaveLength(1);
    expect(harness.emittedOf('resultsGiven')).toEqual([{ event: 'resultsGiven', ids: ['r1'] }]);
  });

  it.each([
    ['sessions begin slowly', 1500, {}],
    ['nobody knows how fast sessions begin', undefined, {}],
    ['pictures would be lost', 300, { mode: 'video' }],
    ['the user wants no hand-over', 300, { handsOver: false }],
    [
      'the transcript would not fit',
      300,
      { earlier: Array.from({ length: 99 }, () => ({ text: 'word '.repeat(99), cut: false })) },
    ],
  ] as const)('waits for the next session if %s', (_why, startMs, options) => {
    const harness = answeredTalk(25, options);
    harness.talk.addResult(result, startMs);
    harness.pass(10_000);
    expect(harness.sessions).toHaveLength(1);
    harness.session.close(lost);
    harness.pass(5000);
    expect(harness.sessions).toHaveLength(2);
    expect(sent(harness)).toContain('Returned by calculate: 42');
  });

  it('waits for a pause, and until the session is 20 s old', () => {
    const harness = answeredTalk(5);
    harness.talk.addResult(result, 300);
    harness.pass(5000);
    expect(harness.sessions).toHaveLength(1);
    harness.pass(20_000, 0.4);
    expect(harness.sessions).toHaveLength(1);
    harness.pass(12_000);
    expect(harness.sessions).toHaveLength(2);
  });

  it('is forgotten by a talk that starts over', () => {
    const harness = answeredTalk(5);
    harness.talk.addResult(result, undefined);
    harness.talk.end();
    harness.session.close({ ...lost, by: 'client' });
    harness.talk.continueTalk('nothing');
    expect(sent(harness)).not.toContain('42');
  });
});
