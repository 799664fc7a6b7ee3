import { describe, expect, it } from 'vitest';
import { chatCommand } from '../../../../../../electron/hosts/terminal/commands/chat-command.ts';
import type { InputLine, LineInput } from '../../../../../../electron/hosts/terminal/line-input.ts';
import type { Session, SessionOptions } from '../../../../../../electron/talk/session/session.ts';
import type { OpenSessionDeps } from '../../../../../../electron/talk/sessions.ts';
import { encodeWav } from '../../../../../../shared/audio/wav.ts';
import {
  type AppError,
  appError,
  sessionError,
} from '../../../../../../shared/errors/app-error.ts';
import { englishTranscript } from '../../../../../../shared/i18n/en/core-messages.ts';
import { englishCarryOver } from '../../../../../../shared/i18n/en/prompts.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeJpeg, fakePictures } from '../../../../../fakes/fake-pictures.ts';
import { namedServers } from '../../../../../fakes/fake-server-facts.ts';
import { seeded } from '../../../../../fakes/seeded.ts';
import { FakeSession } from '../../../talk/conversation-harness.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';

type Asked = Parameters<Session['ask']>[0];

/** The server's reaction to a question: an answer, a failure, or Ctrl-C before any answer if it is empty. */
type Reply = string | { readonly fails: AppError };

interface ChatStage {
  readonly lines?: readonly (string | InputLine)[];
  readonly args?: readonly string[];
  readonly typed?: boolean;
  readonly reply?: (asked: Asked, count: number) => Reply;
  /** Files besides a picture and a sound. */
  readonly files?: Readonly<Record<string, string>>;
  readonly store?: FakeFiles;
}

/** Runs `parley chat` with these lines typed or piped in, and a server that answers. */
async function converse({
  lines = [],
  args = [],
  typed = true,
  reply,
  files = {},
  store = new FakeFiles(),
}: ChatStage) {
  store.putFolder('/f');
  store.put('/f/a b.png', fakeJpeg);
  store.put(
    '/f/in.wav',
    encodeWav(new Float32Array(800).fill(0.5), { rate: 16_000, channels: 1, coding: 'pcm16' }),
  );
  for (const [path, text] of Object.entries(files)) store.put(path, text);
  const asked: Asked[] = [];
  const { terminal, written } = fakeTerminal();
  const prompts: string[] = [];
  let interrupted: () => void = () => undefined;
  const openWrittenSession = (
    how: Omit<SessionOptions, 'mode'>,
    { emit }: OpenSessionDeps,
  ): Session => {
    const session = new FakeSession({ ...how, mode: 'chat' }, emit);
    const close = (error: AppError, orderly: boolean): void => {
      if (session.phase === 'closed') return;
      session.close({ event: 'closed', error, by: orderly ? 'client' : 'network', orderly });
    };
    return Object.assign(session, {
      ask: (turn: Asked) => {
        asked.push(turn);
        session.enter('live');
        const answer = reply?.(turn, asked.length) ?? `Answer ${asked.length}.`;
        if (answer === '') queueMicrotask(interrupted);
        else if (typeof answer === 'object') close(answer.fails, false);
        else {
          emit({ event: 'text', turn: asked.length, text: answer });
          emit({ event: 'done', text: answer, reason: 'turn_end' });
        }
      },
      end: () => {
        close(sessionError('user_stop'), true);
      },
    });
  };
  const code = await chatCommand.run(
    args,
    {
      ...terminal,
      openLines: (onCtrlC) => {
        interrupted = onCtrlC;
        return new ScriptedLines(lines, typed, prompts);
      },
    },
    () => ({
      ...namedServers(),
      clock: new FakeClock(),
      random: seeded(1),
      files: store,
      pictures: fakePictures(),
      openWrittenSession,
      carryOverMessages: () => Promise.resolve(englishCarryOver),
      transcriptWords: () => Promise.resolve(englishTranscript),
    }),
  );
  return { code, asked, prompts, files: store, ...written };
}

class ScriptedLines implements LineInput {
  readonly typed: boolean;
  readonly #lines: (string | InputLine)[];
  readonly #prompts: string[];

  constructor(lines: readonly (string | InputLine)[], typed: boolean, prompts: string[]) {
    this.#lines = [...lines];
    this.typed = typed;
    this.#prompts = prompts;
  }

  readonly next = (prompt: string): Promise<InputLine> => {
    this.#prompts.push(prompt);
    const line = this.#lines.shift() ?? { kind: 'ended' };
    return Promise.resolve(
      typeof line === 'string' ? { kind: 'line', text: line, continues: false } : line,
    );
  };

  readonly close = (): void => undefined;
}

const ctrlC = { kind: 'interrupted', cleared: false } as const;

describe('a conversation in a terminal', () => {
  it('sends each message with all messages before it', async () => {
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

  it('continues an earlier conversation, with the options of a single question', async () => {
    const { asked } = await converse({
      lines: ['Now?'],
      args: [...'--messages /f/m.json --slices 4 --system Kind --image'.split(' '), '/f/a b.png'],
      files: {
        '/f/m.json': '[{"role":"system","content":"Brief"},{"role":"user","content":"Hi"}]',
      },
    });
    expect(asked).toMatchObject([
      {
        maxSlices: 4,
        streaming: true,
        messages: [
          { role: 'system', content: 'Kind\n\nBrief' },
          {
            role: 'user',
            content: [{ text: 'Hi' }, { type: 'image' }, { type: 'text', text: 'Now?' }],
          },
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

  it('stops an answer at Ctrl-C, and ends at the next Ctrl-C', async () => {
    const { code, err, asked } = await converse({
      lines: ['Hello', ctrlC, 'never asked'],
      reply: () => '',
    });
    expect({ code, asked: asked.length }).toEqual({ code: 0, asked: 1 });
    expect(err).toMatch(/Stopped\.\n$/);
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
    [['Hi', '/save /f/there.md'], '/f/there.md already exists; choose another name.'],
    [['/save'], '/save needs a value: /save F.'],
    [['/new now'], '/new takes no value.'],
    [['/imgae x'], 'Unknown command /imgae. Type /help for a list'],
    [['/image /f/in.wav'], '/f/in.wav is not a picture; /audio attaches a sound file.'],
  ])('reports what is wrong with %j and continues', async (lines, sentence) => {
    const files = { '/f/there.md': 'kept' };
    const { asked, err, code, files: after } = await converse({ lines: [...lines, 'Last'], files });
    expect(err).toContain(sentence);
    expect(asked.at(-1)?.messages.at(-1)?.content).toBe('Last');
    expect(code).toBe(0);
    expect(after.text('/f/there.md')).toBe('kept');
  });

  it('attaches pictures and sounds that a command names or that are dropped into a message', async () => {
    const pasted = { kind: 'line', text: 'See /f/in.wav', continues: true } as const;
    const { asked, err } = await converse({
      lines: [
        '/image /f/a\\ b.png',
        'x'.repeat(1_000_001),
        'What is it?',
        "Compare '/f/a b.png' and file:///f/a%20b.png please",
        '/f/in.wav',
        '',
        '',
        'Look at /f/none.png',
        pasted,
        'of several lines',
      ],
    });
    expect(asked.map(({ messages }) => messages.at(-1)?.content)).toMatchObject([
      [{ type: 'image' }, { type: 'text', text: 'What is it?' }],
      [{ type: 'image' }, { type: 'image' }, { text: 'Compare a b.png and a b.png please' }],
      [{ type: 'audio' }],
      'Look at /f/none.png',
      'See /f/in.wav\nof several lines',
    ]);
    expect(err).toContain('a b.png is attached.');
  });

  it('is saved in the format of the file’s extension, and a second save replaces the first file', async () => {
    const { files, err } = await converse({
      lines: ['/image /f/a\\ b.png', 'Hi *you*', '/save /f/x.md', 'More', '/save /f/x.md'],
    });
    expect(err.match(/Saved as/g)).toHaveLength(2);
    expect(files.text('/f/x.md')).toContain('![picture](/f/a%20b.png)\n\nHi \\*you\\*');
    expect(files.text('/f/x.md')).toContain('Answer 2.');
  });
});

describe('a conversation that is piped in', () => {
  it('sends one message per line, prints only answers and opens no file', async () => {
    const lines = ['/f/in.wav is "/f/a b.png"', '', 'Two\\'];
    const { code, out, err, asked } = await converse({ lines, typed: false });
    expect({ code, out, err }).toEqual({ code: 0, out: 'Answer 1.\nAnswer 2.\n', err: '' });
    expect(asked.at(-1)?.messages.map(({ content }) => content)).toEqual([
      lines[0],
      'Answer 1.',
      'Two',
    ]);
  });

  it('requires a question', async () => {
    await expect(converse({ lines: ['', ' '], typed: false })).rejects.toThrow('Enter a question:');
  });

  it.each([
    ['a failed answer', { fails: appError('modelFailed') }, ['One', 'Two'], 1, 2],
    ['an unreachable server', { fails: appError('unreachable') }, ['One', 'Two'], 3, 1],
    ['an unknown command', 'Yes.', ['/nothing', 'Two'], 2, 1],
  ] as const)('exits with the code for %s', async (_what, reaction, lines, code, count) => {
    const exited = await converse({ lines, typed: false, reply: () => reaction });
    expect({ code: exited.code, count: exited.asked.length }).toEqual({ code, count });
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
    expect(events.map(({ event }) => event).join(' ')).toBe(
      'error state text done state text done state closed',
    );
    expect(events[0]).toMatchObject({ code: 'input', fatal: false });
  });
});

describe('a single question', () => {
  it('keeps an older file for speech if a file to send cannot be read', async () => {
    const store = new FakeFiles();
    const args = ['--tts', '/f/old.wav', '--image', '/f/none.png'];
    const files = { '/f/old.wav': 'An older sound.' };
    await expect(converse({ store, files, args })).rejects.toMatchObject({ code: 2 });
    expect(store.text('/f/old.wav')).toBe('An older sound.');
  });

  it('sends sounds and the chosen voice', async () => {
    const input = ['--audio', '/f/in.wav', '--tts', '/f/out.wav', '--tts-voice', '/f/in.wav'];
    const { asked, code } = await converse({ args: ['What is this?', ...input] });
    expect(code).toBe(0);
    const audio = new Float32Array(800).fill(0.5);
    expect(asked).toMatchObject([
      {
        messages: [{ content: [{ type: 'audio', audio }, { text: 'What is this?' }] }],
        omni: true,
        speech: { enabled: true, voice: audio },
      },
    ]);
  });

  it.each(['not JSON', '[{"role": "nobody", "content": "x"}]', '[{"role": "user"}]'])(
    'reports invalid messages in a sentence: %s',
    async (messages) => {
      const args = ['Hello', '--messages', '/f/messages.json'];
      await expect(converse({ args, files: { '/f/messages.json': messages } })).rejects.toThrow(
        '/f/messages.json: not a list of messages, which looks like [',
      );
    },
  );
});
