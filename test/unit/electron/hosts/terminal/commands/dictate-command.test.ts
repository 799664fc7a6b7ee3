import { describe, expect, it } from 'vitest';
import { dictateCommand } from '../../../../../../electron/hosts/terminal/commands/dictate-command.ts';
import type { ExitCode } from '../../../../../../electron/hosts/terminal/exit-code.ts';
import type { InputLine } from '../../../../../../electron/hosts/terminal/line-input.ts';
import type { SessionEvent } from '../../../../../../electron/talk/session/session-event.ts';
import type { ChatQuestion } from '../../../../../../shared/protocol/realtime-api.ts';
import { encodeWav } from '../../../../../../shared/audio/wav.ts';
import { appError, type AppError } from '../../../../../../shared/errors/app-error.ts';
import {
  englishCursorPrompts,
  englishPhrasePrompt,
} from '../../../../../../shared/i18n/en/prompts.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../../../fakes/fake-devices.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeBuiltIn } from '../../../../../fakes/fake-sound-driver.ts';
import { flushPromises } from '../../../../../fakes/flush-promises.ts';
import { namedServers } from '../../../../../fakes/named-servers.ts';
import { FakeSession } from '../../../talk/conversation-harness.ts';

function buzz(samples: number, level: number): Float32Array {
  return Float32Array.from({ length: samples }, (_, at) => (at % 2 === 0 ? level : -level));
}

function wav(level: number): Uint8Array {
  return encodeWav(buzz(16_000, level), { rate: 16_000, channels: 1, coding: 'pcm16' });
}

/** `parley dictate` with the test as its server, microphone and user. */
class DictateStage {
  readonly clock = new FakeClock();
  readonly devices = new FakeDevices(this.clock);
  readonly questions: ChatQuestion[] = [];
  readonly #sessions: FakeSession[] = [];
  readonly #listeners = new Set<() => void>();
  #enter: (line: InputLine) => void = () => undefined;
  out = '';
  err = '';
  code: ExitCode | undefined;
  failure: unknown;

  async start(...args: readonly string[]): Promise<this> {
    const files = new FakeFiles();
    files.putFolder('f');
    files.put('f/words.wav', wav(0.3));
    files.put('f/quiet.wav', wav(0));
    const terminal = {
      out: (text: string) => void (this.out += text),
      err: (text: string) => void (this.err += text),
      onInterrupt: (listener: () => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      openLines: () => ({
        typed: true,
        next: () =>
          new Promise<InputLine>((resolve) => {
            this.#enter = resolve;
          }),
        close: () => this.#enter({ kind: 'ended' }),
      }),
    };
    const core = {
      ...namedServers(),
      clock: this.clock,
      files,
      sound: { devices: () => Promise.resolve({ ok: true, value: [fakeBuiltIn] } as const) },
      openMicrophone: this.devices.openMicrophone,
      dictationPrompts: () =>
        Promise.resolve({ cursor: englishCursorPrompts, phrasePrompt: englishPhrasePrompt }),
      openWrittenSession: (_how: unknown, { emit }: { emit: (event: SessionEvent) => void }) => {
        const how = { settings: {}, mode: 'chat', dialect: 'auto', chunkMs: 1000 } as const;
        const session = new FakeSession(how, emit);
        this.#sessions.push(session);
        const error = appError('answerDone');
        return Object.assign(session, {
          ask: (question: ChatQuestion) => void this.questions.push(question),
          end: () => session.close({ event: 'closed', error, by: 'client', orderly: true }),
        });
      },
    };
    dictateCommand
      .run(args, terminal, () => core)
      .then(
        (code) => (this.code = code),
        (error: unknown) => (this.failure = error),
      );
    await flushPromises();
    return this;
  }

  async speak(level = 0.3): Promise<this> {
    for (let blocks = 0; blocks < 50; blocks += 1) {
      this.clock.advance(20);
      this.devices.microphones.at(-1)?.hear(buzz(320, level));
    }
    await flushPromises();
    return this;
  }

  async enter(): Promise<void> {
    this.#enter({ kind: 'line', text: '', continues: false });
    await flushPromises();
  }

  async ctrlC(): Promise<void> {
    for (const listener of this.#listeners) listener();
    await flushPromises();
  }

  async reply(text: string): Promise<void> {
    this.#sessions.at(-1)?.emit({ event: 'done', text, reason: 'turn_end' });
    await flushPromises();
  }

  queue(position: number): void {
    this.#sessions.at(-1)?.emit({ event: 'queue', position });
  }

  /** The server answers with an error, and the session goes on. */
  async refuse(reason: string): Promise<void> {
    const error = appError('serverReports', { reason });
    this.#sessions.at(-1)?.emit({ event: 'error', error, fatal: false, type: undefined });
    this.#sessions.at(-1)?.emit({ event: 'done', text: '', reason });
    await flushPromises();
  }

  async fail(error: AppError): Promise<void> {
    this.#sessions.at(-1)?.close({ event: 'closed', error, by: 'server', orderly: false });
    await flushPromises();
  }

  /** The text of the newest question. */
  get asked(): string {
    const content = this.questions.at(-1)?.messages.at(-1)?.content ?? '';
    return typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  get events(): readonly unknown[] {
    return this.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { at: _at, ...rest } = JSON.parse(line) as Record<string, unknown>;
        return rest;
      });
  }
}

const start = (...args: readonly string[]): Promise<DictateStage> =>
  new DictateStage().start(...args);

describe('a dictation by microphone', () => {
  it('ends at Enter, and prints only the text on stdout', async () => {
    const stage = await (await start()).speak();
    expect(stage.devices.microphones.at(-1)?.choice).toBe('default');
    await stage.enter();
    expect(stage.devices.open).toEqual([]);
    await stage.reply('Hello Ann.');
    expect([stage.out, stage.code]).toEqual(['Hello Ann.\n', 0]);
    expect(stage.err).toBe('Listening. Enter or Ctrl-C ends the dictation.\nWriting it down…\n');
  });

  it('ends at the first Ctrl-C, and is discarded at the second', async () => {
    const stage = await (await start()).speak();
    await stage.ctrlC();
    expect([stage.devices.open, stage.code]).toEqual([[], undefined]);
    expect(stage.err).toContain('Ctrl-C again abandons the words.');
    await stage.ctrlC();
    expect([stage.out, stage.code]).toEqual(['', 1]);
  });

  it('is printed after one Ctrl-C', async () => {
    const stage = await (await start()).speak();
    await stage.ctrlC();
    await stage.reply('Hello.');
    expect([stage.out, stage.code]).toEqual(['Hello.\n', 0]);
  });

  it('refuses a microphone that is missing', async () => {
    const stage = await start('--mic', 'Headset');
    expect(stage.failure).toMatchObject({ code: 4 });
    expect(stage.devices.microphones).toEqual([]);
  });

  it('ends with the sentence of a microphone that is lost', async () => {
    const stage = await start();
    stage.devices.microphones.at(-1)?.emit({ kind: 'lost', error: appError('noMicrophone') });
    await flushPromises();
    expect(stage.code).toBe(4);
    expect(stage.err).toContain('There is no microphone on this machine');
  });
});

describe('a dictation from a file', () => {
  it('needs no microphone and no key', async () => {
    const stage = await start('--audio', 'f/words.wav');
    expect([stage.devices.microphones, stage.questions.length]).toEqual([[], 1]);
    await stage.reply('Hello.');
    expect([stage.out, stage.err, stage.code]).toEqual(['Hello.\n', 'Writing it down…\n', 0]);
  });

  it('reports that no words were heard', async () => {
    const stage = await start('--audio', 'f/quiet.wav');
    expect([stage.out, stage.code]).toEqual(['', 1]);
    expect(stage.err).toMatch(/No words were heard\.\n$/);
  });

  it('prints each step as JSON', async () => {
    const stage = await start('--audio', 'f/words.wav', '--json');
    stage.queue(2);
    await stage.reply('Hello.');
    expect(stage.events).toEqual([
      { event: 'state', state: 'opening' },
      { event: 'state', state: 'listening' },
      { event: 'state', state: 'writing' },
      { event: 'queue', position: 2 },
      { event: 'text', text: 'Hello.' },
      { event: 'state', state: 'finishing' },
      { event: 'done', text: 'Hello.' },
    ]);
  });

  it.each([
    ['the server cannot be reached', appError('unreachable'), 3],
    ['the session fails', appError('modelFailed'), 1],
  ])('gives the exit code if %s', async (_name, error, code) => {
    const stage = await start('--audio', 'f/words.wav', '--json');
    await stage.fail(error);
    expect(stage.code).toBe(code);
    expect(stage.events.at(-1)).toMatchObject({ event: 'error' });
  });
});

it('a dictation prints the words written so far if the next answer fails', async () => {
  const stage = await (await start()).speak();
  await stage.speak(0);
  await stage.reply('One.');
  await stage.speak();
  await stage.enter();
  await stage.refuse('inference_error');
  expect([stage.out, stage.code]).toEqual(['One.\n', 1]);
});

describe('the mode of a dictation', () => {
  it.each([
    ['verbatim', englishPhrasePrompt.request],
    ['clean', englishCursorPrompts.dictation.clean],
  ])('sends its prompt: %s', async (mode, request) => {
    const stage = await start('--audio', 'f/words.wav', '--mode', mode, '--language', 'French');
    expect(stage.asked).toBe(`${request} It is said in this language: French.`);
  });

  it('may name an action, which rewrites the words', async () => {
    const stage = await start('--audio', 'f/words.wav', '--mode', 'Shorten');
    await stage.reply('A long text.');
    expect(stage.asked).toContain(englishCursorPrompts.actions.shorten);
    await stage.reply('A text.');
    expect([stage.out, stage.code]).toEqual(['A text.\n', 0]);
  });

  it('is refused with a list of the modes if it is unknown', async () => {
    const stage = await start('--audio', 'f/words.wav', '--mode', 'sing');
    expect(stage.failure).toMatchObject({
      code: 2,
      message:
        '--mode takes one of “verbatim”, “clean”, “Explain”, “Translate”, “Shorten”, “Correct”, “Reply”, not “sing”.',
    });
  });
});
