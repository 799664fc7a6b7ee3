import { describe, expect, it } from 'vitest';
import { appError } from '../../../../../../shared/errors/app-error.ts';
import { converse } from './conversation-stage.ts';

const ctrlC = { kind: 'interrupted', cleared: false } as const;

describe('a conversation in a terminal', () => {
  it('asks one message after the other, with all that was said before', async () => {
    const { code, asked, out } = await converse({ lines: ['Hello', 'And then?'] });
    expect(code).toBe(0);
    expect(asked.map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: 'Hello' }],
      [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Answer 1.' },
        { role: 'user', content: 'And then?' },
      ],
    ]);
    expect(out).toBe('Answer 1.\nAnswer 2.\n');
  });

  it('continues an earlier conversation with the options of a single question', async () => {
    const { asked } = await converse({
      lines: ['Now?'],
      args: [
        '--messages',
        '/f/m.json',
        '--system',
        'Be kind.',
        '--image',
        '/f/a b.png',
        '--slices',
        '4',
      ],
      files: {
        '/f/m.json':
          '[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}]',
      },
    });
    expect(asked).toMatchObject([
      {
        maxSlices: 4,
        streaming: true,
        messages: [
          { role: 'system', content: 'Be kind.\n\nBe brief.' },
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Ho' },
          { role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'Now?' }] },
        ],
      },
    ]);
  });

  it('joins lines that end in a backslash or were pasted', async () => {
    const pasted = { kind: 'line', text: 'two\\', continues: true } as const;
    const { asked, prompts } = await converse({ lines: ['one\\', pasted, 'three', 'four\\\\'] });
    expect(asked.map(({ messages }) => messages.at(-1)?.content)).toEqual([
      'one\ntwo\\\nthree',
      'four\\\\',
    ]);
    expect(prompts).toEqual(['> ', '… ', '… ', '> ', '> ']);
  });

  it('stops an answer at Ctrl-C, and ends at the next', async () => {
    const { code, err, asked } = await converse({
      lines: ['Hello', ctrlC, 'never asked'],
      reply: () => '',
    });
    expect({ code, asked: asked.length }).toEqual({ code: 0, asked: 1 });
    expect(err).toMatch(/Stopped\.\n$/);
  });

  it('clears the prompt at Ctrl-C, and ends at the second in a row', async () => {
    const cleared = { kind: 'interrupted', cleared: true } as const;
    const { asked, err } = await converse({
      lines: [cleared, 'half\\', ctrlC, ctrlC, cleared, 'Hello', ctrlC, ctrlC, 'never asked'],
    });
    expect(asked.map(({ messages }) => messages.at(-1)?.content)).toEqual(['Hello']);
    expect(err.match(/Ctrl-C again/g)).toHaveLength(2);
  });

  it('runs /retry, /go-on, /new and /quit', async () => {
    const { asked } = await converse({
      lines: ['One', '/retry', '/go-on', '/new', 'Two', '/quit', 'never asked'],
    });
    expect(asked.map(({ messages }) => messages.length)).toEqual([1, 1, 3, 1]);
    expect(asked.at(-1)?.messages).toEqual([{ role: 'user', content: 'Two' }]);
  });

  it.each([
    [['/retry'], 'You have not asked anything yet.'],
    [['/go-on'], 'There is no answer to continue.'],
    [['/save x.md'], 'The conversation is still empty.'],
    [['Hi', '/save x.doc'], '/save takes a file that ends in .md, .txt or .json, not "x.doc".'],
    [['Hi', '/save /g/x.md'], '/g/x.md does not exist.'],
    [['Hi', '/save /f/there.md'], '/f/there.md already exists; choose another name.'],
    [['/save'], '/save needs a value: /save F.'],
    [['/new now'], '/new takes no value.'],
    [['/imgae x'], 'Unknown command /imgae. Type /help for a list'],
    [['/image /f/none.png'], '/f/none.png does not exist.'],
    [['/image /f/in.wav'], '/f/in.wav is not a picture; /audio attaches a sound file.'],
    [["/audio '/f/a b.png'"], '/f/a b.png is not a sound file; /image attaches a picture.'],
  ])('reports what is wrong with %j and continues', async (lines, sentence) => {
    const files = { '/f/there.md': 'kept' };
    const { asked, err, code, files: after } = await converse({ lines: [...lines, 'Last'], files });
    expect(err).toContain(sentence);
    expect(asked.at(-1)?.messages.at(-1)?.content).toBe('Last');
    expect(code).toBe(0);
    expect(after.text('/f/there.md')).toBe('kept');
  });

  it('reports a failed answer once and continues', async () => {
    const { asked, err } = await converse({
      lines: ['Hello', 'Again'],
      reply: (_asked, count) => (count === 1 ? { fails: appError('modelFailed') } : 'Yes.'),
    });
    expect(asked).toHaveLength(2);
    expect(err.split('\n').filter((line) => line.includes('model'))).toHaveLength(1);
  });

  it('attaches pictures and sounds that a command names or that are dropped into a message', async () => {
    const { asked, err } = await converse({
      lines: [
        '/image /f/a\\ b.png',
        'What is it?',
        "Compare '/f/a b.png' and file:///f/a%20b.png please",
        '/f/in.wav',
        '',
        '',
        'Look at /f/none.png',
      ],
    });
    expect(asked.map(({ messages }) => messages.at(-1)?.content)).toMatchObject([
      [{ type: 'image' }, { type: 'text', text: 'What is it?' }],
      [{ type: 'image' }, { type: 'image' }, { text: 'Compare a b.png and a b.png please' }],
      [{ type: 'audio' }],
      'Look at /f/none.png',
    ]);
    expect(err).toContain('a b.png is attached.');
  });

  it('opens no file named in a pasted text of several lines', async () => {
    const pasted = { kind: 'line', text: 'See /f/in.wav', continues: true } as const;
    const { asked } = await converse({ lines: [pasted, 'and answer.'] });
    expect(asked[0]?.messages[0]?.content).toBe('See /f/in.wav\nand answer.');
  });

  it('keeps the pictures of a refused message for the next', async () => {
    const { asked, err } = await converse({
      lines: ['/image /f/a\\ b.png', 'x'.repeat(1_000_001), 'What is it?'],
    });
    expect(asked.map(({ messages }) => messages.at(-1)?.content)).toMatchObject([
      [{ type: 'image' }, { type: 'text', text: 'What is it?' }],
    ]);
    expect(err.trim().split('\n')).toHaveLength(3);
  });

  it('is saved in the format of the extension, and again under the same name', async () => {
    const { files, err } = await converse({
      lines: [
        '/image /f/a\\ b.png',
        'Hello *you*',
        '/save /f/x.md',
        'More',
        '/save /f/x.md',
        '/save /f/x.JSON',
      ],
    });
    expect(err.match(/Saved as/g)).toHaveLength(3);
    expect(files.text('/f/x.md')).toContain('![picture](/f/a%20b.png)\n\nHello \\*you\\*');
    expect(files.text('/f/x.md')).toContain('Answer 2.');
    expect(JSON.parse(files.text('/f/x.JSON'))).toMatchObject({
      turns: [
        { by: 'person', parts: [{ type: 'image', file: '/f/a b.png' }, { text: 'Hello *you*' }] },
        { by: 'parley', text: 'Answer 1.' },
        { by: 'person' },
        { by: 'parley', text: 'Answer 2.' },
      ],
    });
  });
});

describe('a conversation with a script', () => {
  it('sends one message per line and prints only answers', async () => {
    const { code, out, err, asked } = await converse({ lines: ['One', '', 'Two\\'], typed: false });
    expect({ code, out, err }).toEqual({ code: 0, out: 'Answer 1.\nAnswer 2.\n', err: '' });
    expect(asked.at(-1)?.messages.at(-1)?.content).toBe('Two');
  });

  it('opens no file named in a message', async () => {
    const { asked } = await converse({ lines: ['/f/in.wav is "/f/a b.png"'], typed: false });
    expect(asked[0]?.messages[0]?.content).toBe('/f/in.wav is "/f/a b.png"');
  });

  it('requires a question', async () => {
    await expect(converse({ lines: ['', ' '], typed: false })).rejects.toThrow('Enter a question:');
  });

  it.each([
    ['a failed answer', { fails: appError('modelFailed') }, ['One', 'Two'], 1, 2],
    ['an unreachable server', { fails: appError('unreachable') }, ['One', 'Two'], 3, 1],
    ['an unknown command', 'Yes.', ['/nothing', 'Two'], 2, 1],
  ] as const)('exits with the code for %s', async (_what, said, lines, code, count) => {
    const played = await converse({ lines, typed: false, reply: () => said });
    expect({ code: played.code, count: played.asked.length }).toEqual({ code, count });
  });

  it('prints JSON, with an error for a line that was not sent', async () => {
    const { out } = await converse({
      lines: ['/nothing', 'One', 'Two'],
      typed: false,
      args: ['--json'],
    });
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; code?: string; text?: string });
    expect(events.map(({ event }) => event)).toEqual([
      'error',
      'state',
      'text',
      'done',
      'state',
      'text',
      'done',
      'state',
      'closed',
    ]);
    expect(events[0]).toMatchObject({ code: 'input', fatal: false });
  });
});
