import { describe, expect, it } from 'vitest';
import type { Part } from '../../../../shared/chat/chat-thread.ts';
import { estimateTextTokens, shortenText } from '../../../../shared/text.ts';
import { error, text } from '../talk/session/server-events.ts';
import { ChatSessionStage, done, words } from './chat-session-stage.ts';

describe('the history sent with a question', () => {
  it('has the newest complete exchanges that fit, and reports how many were left out', () => {
    const stage = new ChatSessionStage();
    for (const letter of ['a', 'b', 'c', 'd'])
      stage.exchange(letter.repeat(4000), letter.repeat(3000));
    stage.chat.send(words('And now?'));
    const { messages } = stage.questions.at(-1) ?? { messages: [] };
    expect(messages.map(({ content }) => content[0])).toEqual(['b', 'b', 'c', 'c', 'd', 'd', 'A']);
    const sent = stage.patchesOf('sent').at(-1)?.sent;
    expect(sent).toMatchObject({ from: stage.turns[2]?.id, leftOut: 2 });
    expect(stage.patchesOf('sent')[0]?.sent).toMatchObject({ leftOut: 0, shortened: undefined });
    expect(stage.turns).toHaveLength(10);
  });

  it('begins with the default system prompt if the conversation has none', () => {
    const systemOf = (system: string) => {
      const stage = new ChatSessionStage({ system }, { defaultSystemPrompt: () => 'Be kind.' });
      stage.chat.send(words('Hello'));
      stage.live();
      return stage.questions[0]?.messages[0];
    };
    for (const system of ['', '  '])
      expect(systemOf(system)).toEqual({ role: 'system', content: 'Be kind.' });
    expect(systemOf('Be brief.')).toEqual({ role: 'system', content: 'Be brief.' });
  });

  it('has the memory after the system prompt, or alone', () => {
    const asked: (readonly [string, boolean])[] = [];
    const systemOf = (system: string, known?: string) => {
      const stage = new ChatSessionStage(
        { system },
        {
          defaultSystemPrompt: () => 'Be kind.',
          memory: (...prompt) => {
            asked.push(prompt);
            return known;
          },
        },
      );
      stage.chat.send(words('Hello'));
      stage.live();
      return stage.questions[0]?.messages[0]?.content;
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

  it('has the passages of its question, also when that is retried, until the user removes one', () => {
    const stage = new ChatSessionStage(
      {},
      {
        defaultSystemPrompt: () => 'Be kind.',
        formatPast: (found) =>
          found.length === 0 ? undefined : found.map((each) => each.text).join(),
      },
    );
    const passage = { kind: 'talk', id: 't1', title: 'The lighthouse', at: 7, turn: 2 } as const;
    const systemOf = () => stage.questions.at(-1)?.messages[0]?.content;
    stage.chat.send(words('Which colour was it?'), [{ passage, text: 'The lighthouse is red.' }]);
    stage.live().say(done('Red.'));
    expect(systemOf()).toBe('Be kind.\n\nThe lighthouse is red.');
    const [question] = stage.turns;
    expect(question).toMatchObject({ past: [passage] });
    expect(JSON.stringify(stage.saved)).not.toContain('is red');
    stage.chat.retry(question?.id ?? '');
    stage.say(done('Red.'));
    expect(systemOf()).toContain('is red');
    stage.chat.forgetPassage(question?.id ?? '', passage);
    expect(stage.turns[0]).toMatchObject({ past: [] });
    stage.chat.retry(question?.id ?? '');
    stage.say(done('I do not know.'));
    expect(systemOf()).toBe('Be kind.');
    stage.chat.send(words('And now?'));
    expect(systemOf()).toBe('Be kind.');
  });

  it('leaves room for a longer answer', () => {
    const stage = new ChatSessionStage({ maxNewTokens: 4000 });
    for (const letter of ['a', 'b', 'c']) stage.exchange(letter.repeat(4000), letter.repeat(3000));
    stage.chat.send(words('And now?'));
    expect(stage.questions.at(-1)?.messages).toHaveLength(3);
  });

  it('counts a Chinese character as a token', () => {
    expect(estimateTextTokens('你好世界')).toBe(4);
    expect(estimateTextTokens('word')).toBe(2);
  });

  it('shortens a paste of 200,000 characters in the middle and reports it', () => {
    const stage = new ChatSessionStage();
    const paste = `begin ${'x'.repeat(199_988)} end.`;
    expect(stage.chat.send(words(paste))).toEqual({ ok: true });
    stage.live();
    const sent = stage.questions[0]?.messages[0]?.content;
    const content = typeof sent === 'string' ? sent : '';
    expect(content).toMatch(/^begin x+\n\n\[…\]\n\nx+ end\.$/u);
    expect(estimateTextTokens(content)).toBeLessThan(8192 - 256);
    expect(estimateTextTokens(content)).toBeGreaterThan(7000);
    expect(stage.turns[0]).toMatchObject({ parts: words(paste) });
    const { shortened } = stage.patchesOf('sent').at(-1)?.sent ?? {};
    const [first = '', last = ''] = content.split('\n\n[…]\n\n');
    expect(shortened).toEqual({ characters: paste.length, first: first.length, last: last.length });
  });

  it('has pictures and sounds at their places, and sets omni if there is sound', () => {
    const stage = new ChatSessionStage();
    const image = Uint8Array.of(1);
    const samples = new Float32Array(16_000);
    stage.media.put('p', { type: 'image', file: image });
    stage.media.put('s', { type: 'audio', samples });
    stage.chat.send([{ type: 'image', media: 'p' }, ...words('What is this?')]);
    stage.live().say(done('A cat.'));
    stage.chat.send([{ type: 'audio', media: 's', seconds: 1 }]);
    expect(stage.questions[0]).toMatchObject({
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
    expect(stage.questions[1]?.omni).toBe(true);
    expect(stage.questions[1]?.messages.at(-1)?.content).toEqual([
      { type: 'audio', audio: samples },
    ]);
  });

  it('is refused if it is too large or media are missing, and adds no turn', () => {
    const stage = new ChatSessionStage({ maxSlices: 9 });
    const parts: readonly Part[] = Array.from({ length: 30 }, () => ({
      type: 'image',
      media: 'p',
    }));
    stage.media.put('p', { type: 'image', file: Uint8Array.of(1) });
    expect(stage.chat.send(parts)).toMatchObject({
      ok: false,
      error: { code: 'tooMuch' },
    });
    expect(stage.chat.send([{ type: 'image', media: 'gone' }])).toMatchObject({
      ok: false,
      error: { code: 'mediaLost' },
    });
    expect(stage.chat.conversation.turns).toEqual([]);
  });

  it('joins two questions if the first was stopped before its answer', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('One'));
    stage.live();
    stage.chat.stop();
    stage.chat.send(words('in French'));
    stage.live();
    expect(stage.questions.at(-1)?.messages).toEqual([
      { role: 'user', content: 'One\n\nin French' },
    ]);
  });

  it('includes the partial text of a failed answer', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('One'));
    stage.live().say(text('Half'), error('inference_error'));
    stage.chat.send(words('Go on'));
    expect(stage.questions.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'One',
      'Half',
      'Go on',
    ]);
  });
});

describe('shortenText', () => {
  it('never splits a surrogate pair', () => {
    const emoji = '😀'.repeat(1000);
    for (let room = 40; room < 60; room += 1) {
      const { text, first, last } = shortenText(emoji, room);
      expect(text).not.toMatch(/\p{Surrogate}/u);
      expect(first).toBeGreaterThan(last);
      expect(estimateTextTokens(text)).toBeLessThanOrEqual(room);
    }
  });
});
