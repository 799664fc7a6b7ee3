import { describe, expect, it } from 'vitest';
import type { ChatThread, Part } from '../../../../shared/chat/chat-thread.ts';
import type { FoundPassage } from '../../../../shared/memory/memory-view.ts';
import { estimateTokens, shortenText } from '../../../../shared/text.ts';
import { conversation, OpenThreadHarness, done, words } from './open-thread-harness.ts';

describe('the history sent with a question', () => {
  it('has the newest complete exchanges that fit, and reports how many were left out', () => {
    const harness = new OpenThreadHarness();
    for (const letter of ['a', 'b', 'c', 'd'])
      harness.exchange(letter.repeat(4000), letter.repeat(3000));
    harness.chat.send(words('And now?'));
    const { messages } = harness.questions.at(-1) ?? { messages: [] };
    expect(messages.map(({ content }) => content[0])).toEqual(['b', 'b', 'c', 'c', 'd', 'd', 'A']);
    const sent = harness.patchesOf('sent').at(-1)?.sent;
    expect(sent).toMatchObject({ from: harness.turns[2]?.id, leftOut: 2 });
    expect(harness.patchesOf('sent')[0]?.sent).toMatchObject({ leftOut: 0, shortened: undefined });
    expect(harness.turns).toHaveLength(10);
  });

  it('fits the smaller context of a server, also with tools', () => {
    const send = (deps: object) => {
      const harness = new OpenThreadHarness({}, { contextTokens: () => 4096, ...deps });
      for (const letter of ['a', 'b', 'c', 'd'])
        harness.exchange(letter.repeat(4000), letter.repeat(3000));
      harness.chat.send(words('And now?'));
      const { messages } = harness.questions.at(-1) ?? { messages: [] };
      return messages;
    };
    const firstLetters = (deps: object): readonly (string | undefined)[] =>
      send(deps)
        .filter(({ role }) => role !== 'system')
        .map(({ content }) => (typeof content === 'string' ? content[0] : undefined));
    expect(firstLetters({})).toEqual(['d', 'd', 'A']);
    const many = Array.from({ length: 40 }, (_, at) => ({
      name: `tool${at}`,
      server: '',
      description: 'Tells the time and the date in a city that the user names.',
      schema: { type: 'object' } as const,
      isRisky: false,
      run: () => Promise.resolve({ ok: true, value: { text: '', isError: false } }),
    }));
    const tools = {
      list: () => many,
      isAlwaysAllowed: () => false,
      allowAlways: () => undefined,
      describeError: () => '',
    };
    const messages = send({ tools });
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: 'And now?' });
    const sent = messages.map(({ content }) => (typeof content === 'string' ? content : ''));
    expect(estimateTokens(sent.join('\n'))).toBeLessThan(4096 - 1024 - 256);
  });

  it('has the memory after the system prompt, or alone', () => {
    const asked: (readonly [string, boolean])[] = [];
    const systemOf = (system: string, known?: string) => {
      const harness = new OpenThreadHarness(
        { system },
        {
          defaultSystemPrompt: () => 'Be kind.',
          memory: (...prompt) => {
            asked.push(prompt);
            return known;
          },
        },
      );
      harness.chat.send(words('Hello'));
      harness.live();
      return harness.questions[0]?.messages[0]?.content;
    };
    expect(systemOf('', 'I live in Bergen.')).toBe('Be kind.\n\nI live in Bergen.');
    expect(systemOf('Be brief.', 'I live in Bergen.')).toBe('Be brief.\n\nI live in Bergen.');
    expect(systemOf('')).toBe('Be kind.');
    expect(asked).toEqual([
      ['Be kind.', false],
      ['Be brief.', true],
      ['Be kind.', false],
    ]);
  });

  it('leaves room for a longer answer', () => {
    const harness = new OpenThreadHarness({ maxNewTokens: 4000 });
    for (const letter of ['a', 'b', 'c'])
      harness.exchange(letter.repeat(4000), letter.repeat(3000));
    harness.chat.send(words('And now?'));
    expect(harness.questions.at(-1)?.messages).toHaveLength(3);
  });

  it('has the passages of its question, also when the question is retried, until the user removes one', () => {
    const harness = new OpenThreadHarness(
      {},
      {
        defaultSystemPrompt: () => 'Be kind.',
        formatPast: (found) =>
          found.length === 0 ? undefined : found.map((each) => each.text).join(),
      },
    );
    const passage = { kind: 'talk', id: 't1', title: 'The lighthouse', at: 7, turn: 2 } as const;
    const systemOf = () => harness.questions.at(-1)?.messages[0]?.content;
    harness.chat.send(words('Which colour was it?'), [{ passage, text: 'The lighthouse is red.' }]);
    harness.live().say(done('Red.'));
    expect(systemOf()).toBe('Be kind.\n\nThe lighthouse is red.');
    const [question] = harness.turns;
    expect(question).toMatchObject({ past: [passage] });
    expect(JSON.stringify(harness.saved)).not.toContain('is red');
    harness.chat.retry(question?.id ?? '');
    harness.say(done('Red.'));
    expect(systemOf()).toContain('is red');
    harness.chat.forgetDeleted({ kind: 'talk', id: 'another' });
    harness.chat.retry(question?.id ?? '');
    harness.say(done('Red.'));
    expect(systemOf()).toContain('is red');
    harness.chat.forgetPassage(question?.id ?? '', passage);
    expect(harness.turns[0]).toMatchObject({ past: [] });
    // An edit looks for passages again, and leaves this one out.
    expect(harness.chat.leftOutOf(question?.id ?? '')).toMatchObject([{ kind: 'talk', id: 't1' }]);
    harness.chat.retry(question?.id ?? '');
    harness.say(done('I do not know.'));
    expect(systemOf()).toBe('Be kind.');
    harness.chat.send(words('And now?'));
    expect(systemOf()).toBe('Be kind.');
  });

  it.each([{ kind: 'talk', id: 't1' } as const, { kind: 'talk' } as const])(
    'has no passage of a deleted talk: %j',
    (deleted) => {
      const formatPast = (found: readonly FoundPassage[]) => found.map(({ text }) => text).join();
      const harness = new OpenThreadHarness({}, { formatPast });
      const passage = { kind: 'talk', id: 't1', title: 'The lighthouse', at: 7, turn: 2 } as const;
      harness.chat.send(words('Which colour was it?'), [{ passage, text: 'It is red.' }]);
      harness.live().say(done('Red.'));
      harness.chat.forgetDeleted(deleted);
      harness.chat.retry(harness.turns[0]?.id ?? '');
      expect(JSON.stringify(harness.questions[0])).toContain('It is red.');
      expect(JSON.stringify(harness.questions.at(-1))).not.toContain('It is red.');
    },
  );

  it('shortens a paste of 200,000 characters in the middle and reports it', () => {
    const harness = new OpenThreadHarness();
    const paste = `begin ${'x'.repeat(199_988)} end.`;
    expect(harness.chat.send(words(paste))).toEqual({ ok: true });
    harness.live();
    const sent = harness.questions[0]?.messages[0]?.content;
    const content = typeof sent === 'string' ? sent : '';
    expect(content).toMatch(/^begin x+\n\n\[…\]\n\nx+ end\.$/u);
    expect(estimateTokens(content)).toBeLessThan(8192 - 256);
    expect(estimateTokens(content)).toBeGreaterThan(7000);
    expect(harness.turns[0]).toMatchObject({ parts: words(paste) });
    const { shortened } = harness.patchesOf('sent').at(-1)?.sent ?? {};
    const [first = '', last = ''] = content.split('\n\n[…]\n\n');
    expect(shortened).toEqual({ characters: paste.length, first: first.length, last: last.length });
  });

  it('has pictures and sounds at their places, and sets omni if there is sound', () => {
    const harness = new OpenThreadHarness();
    const image = Uint8Array.of(1);
    const samples = new Float32Array(16_000);
    harness.media.put('p', { type: 'image', file: image });
    harness.media.put('s', { type: 'audio', samples });
    harness.chat.send([{ type: 'image', media: 'p' }, ...words('What is this?')]);
    harness.live().say(done('A cat.'));
    harness.chat.send([{ type: 'audio', media: 's', seconds: 1 }]);
    expect(harness.questions[0]).toMatchObject({
      omni: undefined,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', image },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
    });
    expect(harness.questions[1]?.omni).toBe(true);
    expect(harness.questions[1]?.messages.at(-1)?.content).toEqual([
      { type: 'audio', audio: samples },
    ]);
  });

  it('is refused if it is too large or media are missing, and adds no turn', () => {
    const harness = new OpenThreadHarness({ maxSlices: 9 });
    const parts: readonly Part[] = Array.from({ length: 30 }, () => ({
      type: 'image',
      media: 'p',
    }));
    harness.media.put('p', { type: 'image', file: Uint8Array.of(1) });
    expect(harness.chat.send(parts)).toMatchObject({
      ok: false,
      error: { code: 'tooMuch' },
    });
    expect(harness.chat.send([{ type: 'image', media: 'gone' }])).toMatchObject({
      ok: false,
      error: { code: 'mediaLost' },
    });
    expect(harness.chat.conversation.turns).toEqual([]);
  });

  it('joins two questions if the first was stopped before its answer', () => {
    const harness = new OpenThreadHarness();
    harness.chat.send(words('One'));
    harness.live();
    harness.chat.stop();
    harness.chat.send(words('in French'));
    harness.live();
    expect(harness.questions.at(-1)?.messages).toEqual([
      { role: 'user', content: 'One\n\nin French' },
    ]);
  });
});

it('a question stays in the history if its answer failed after a call of a tool', () => {
  const call = { id: 'c', at: 0, callName: 'now', tool: 'now', server: '', args: '{}' };
  const answer = { role: 'assistant', id: 'a2', at: 1, text: '', speechSeconds: 0 } as const;
  const thread = conversation('a', 'What time is it?');
  const turns: ChatThread['turns'] = [
    ...thread.turns,
    {
      ...answer,
      state: { kind: 'failed', error: { code: 'answerLost', facts: {} } },
      calls: [{ ...call, state: 'done', isRisky: false, response: 'noon' }],
    },
  ];
  const harness = new OpenThreadHarness({}, { conversation: { ...thread, turns } });
  harness.chat.send(words('And in Rome?'));
  harness.live();
  const { messages } = harness.questions.at(-1) ?? { messages: [] };
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(messages[0]).toEqual({ role: 'user', content: 'What time is it?' });
});

describe('shortenText', () => {
  it('never splits a surrogate pair', () => {
    const emoji = '😀'.repeat(1000);
    for (let room = 40; room < 60; room += 1) {
      const { text, first, last } = shortenText(emoji, room);
      expect(text).not.toMatch(/\p{Surrogate}/u);
      expect(first).toBeGreaterThan(last);
      expect(estimateTokens(text)).toBeLessThanOrEqual(room);
    }
  });
});
