import { describe, expect, it } from 'vitest';
import { chatTranscript } from '../../../../../electron/recordings/export/chat-transcript.ts';
import type { ChatThread, ToolCall } from '../../../../../shared/chat/chat-thread.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { englishTranscript } from '../../../../../shared/i18n/en/core-messages.ts';

const done = { kind: 'done', cutShort: false } as const;
const chat: ChatThread = {
  id: 'one',
  title: 'Tea *for* two',
  createdAt: 0,
  updatedAt: 60_000,
  pinned: false,
  turns: [
    {
      role: 'user',
      id: 'q',
      at: 0,
      parts: [
        { type: 'text', text: '# No heading\n1. no list' },
        { type: 'image', media: 'secret-id' },
        { type: 'audio', media: 'other-id', seconds: 3 },
      ],
    },
    {
      role: 'assistant',
      id: 'a',
      at: 1,
      text: '- **green**\n- black',
      state: done,
      speechSeconds: 0,
    },
    {
      role: 'assistant',
      id: 'b',
      at: 2,
      text: 'Half',
      state: { kind: 'failed', error: appError('answerCutByCrash') },
      speechSeconds: 0,
    },
  ],
  branches: [{ id: 'x', turns: [] }],
};

const written = (ms: number): string => new Date(ms).toISOString();

describe('the transcript of a written conversation', () => {
  it('keeps the Markdown of answers and escapes questions', () => {
    expect(chatTranscript(chat, 'md', englishTranscript, written)).toBe(
      [
        '# Tea \\*for\\* two',
        '1970-01-01T00:00:00.000Z',
        '**You**',
        '\\# No heading  \n1\\. no list',
        '*picture*',
        '*sound clip*',
        '**Parley**',
        '- **green**\n- black',
        '**Parley**',
        'Half',
        '*not finished*\n',
      ].join('\n\n'),
    );
  });

  it('escapes a call of a tool in Markdown only', () => {
    const call: ToolCall = {
      id: 'c',
      at: 0,
      callName: 'clock',
      tool: 'Clock',
      server: '',
      args: '{"zone":"a_b"}',
      state: 'done',
      isRisky: false,
      response: '*noon*',
    };
    const answer = { role: 'assistant', id: 'a', at: 1, text: '', state: done } as const;
    const asked: ChatThread = {
      ...chat,
      turns: [{ ...answer, speechSeconds: 0, calls: [call] }],
    };
    const exportAs = (format: 'md' | 'txt'): string =>
      chatTranscript(asked, format, englishTranscript, written);
    expect(exportAs('txt')).toContain('Clock {"zone":"a_b"} → *noon*)');
    expect(exportAs('md')).toContain(String.raw`Clock {"zone":"a\_b"} → \*noon\**`);
  });

  it('is also available as plain text and as JSON without internal ids', () => {
    const text = chatTranscript({ ...chat, title: ' ' }, 'txt', englishTranscript, written);
    expect(text).toContain('A conversation with Parley\n1970-01-01');
    expect(text).toContain('You:\n# No heading\n1. no list\n(picture)\n(sound clip)\n\nParley:\n');
    const json = chatTranscript(chat, 'json', englishTranscript, written);
    expect(json).not.toContain('-id');
    expect(JSON.parse(json)).toMatchObject({
      format: 'parley-chat-transcript',
      turns: [
        {
          by: 'person',
          parts: [{ text: '# No heading\n1. no list' }, { type: 'image' }, { seconds: 3 }],
        },
        { by: 'parley', state: 'done' },
        { by: 'parley', text: 'Half', state: 'failed' },
      ],
    });
  });
});
