import { describe, expect, it } from 'vitest';
import { dictateCommand } from '../../../../../../electron/hosts/terminal/commands/dictate-command.ts';
import type { InputLine } from '../../../../../../electron/hosts/terminal/line-input.ts';
import type { SessionEvent } from '../../../../../../electron/talk/session/session-event.ts';
import type { ChatQuestion } from '../../../../../../shared/protocol/realtime-api.ts';
import { encodeWav } from '../../../../../../shared/audio/wav.ts';
import { appError } from '../../../../../../shared/errors/app-error.ts';
import {
  englishCursorPrompts,
  englishPhrasePrompt,
} from '../../../../../../shared/i18n/en/prompts.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../../../fakes/fake-devices.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeBuiltIn } from '../../../../../fakes/fake-sound-driver.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { flushPromises } from '../../../../../fakes/promises.ts';
import { namedServers } from '../../../../../fakes/fake-server-facts.ts';
import { FakeSession } from '../../../talk/conversation-harness.ts';

const buzz = (samples: number, level: number): Float32Array =>
  Float32Array.from({ length: samples }, (_, at) => (at % 2 === 0 ? level : -level));

const wav = (level: number): Uint8Array =>
  encodeWav(buzz(16_000, level), { rate: 16_000, channels: 1, coding: 'pcm16' });

/** `parley dictate` with the test as its server, microphone and user. */
async function start(...args: readonly string[]) {
  const clock = new FakeClock();
  const devices = new FakeDevices(clock);
  const files = new FakeFiles();
  files.putFolder('f');
  files.put('f/words.wav', wav(0.3));
  files.put('f/quiet.wav', wav(0));
  const questions: ChatQuestion[] = [];
  const sessions: FakeSession[] = [];
  const { terminal, written, interrupt } = fakeTerminal();
  let enterLine: (line: InputLine) => void = () => undefined;
  const openLines = () => ({
    typed: true,
    next: () => new Promise<InputLine>((resolve) => (enterLine = resolve)),
    close: () => enterLine({ kind: 'ended' }),
  });
  const core = {
    ...namedServers(),
    clock,
    files,
    sound: { devices: () => Promise.resolve({ ok: true, value: [fakeBuiltIn] } as const) },
    openMicrophone: devices.openMicrophone,
    dictationPrompts: () =>
      Promise.resolve({ cursor: englishCursorPrompts, phrasePrompt: englishPhrasePrompt }),
    openWrittenSession: (_how: unknown, { emit }: { emit: (event: SessionEvent) => void }) => {
      const how = { settings: {}, mode: 'chat', dialect: 'auto', chunkMs: 1000 } as const;
      const session = new FakeSession(how, emit);
      sessions.push(session);
      const error = appError('answerDone');
      return Object.assign(session, {
        ask: (question: ChatQuestion) => void questions.push(question),
        end: () => session.close({ event: 'closed', error, by: 'client', orderly: true }),
      });
    },
  };
  const ended: { code?: number; failure?: unknown } = {};
  dictateCommand
    .run(args, { ...terminal, openLines }, () => core)
    .then(
      (code) => (ended.code = code),
      (error: unknown) => (ended.failure = error),
    );
  await flushPromises();
  const after = async (act: () => void): Promise<void> => {
    act();
    await flushPromises();
  };
  return {
    devices,
    written,
    questions,
    ended,
    session: () => sessions.at(-1),
    speak: (level = 0.3) =>
      after(() => {
        for (let blocks = 0; blocks < 50; blocks += 1) {
          clock.advance(20);
          devices.microphones.at(-1)?.hear(buzz(320, level));
        }
      }),
    enter: () => after(() => enterLine({ kind: 'line', text: '', continues: false })),
    ctrlC: () => after(interrupt),
    reply: (text: string) =>
      after(() => sessions.at(-1)?.emit({ event: 'done', text, reason: 'turn_end' })),
    /** The text of the newest question. */
    asked: () => JSON.stringify(questions.at(-1)?.messages.at(-1)?.content ?? ''),
    events: () =>
      written.out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const { at: _at, ...rest } = JSON.parse(line) as Record<string, unknown>;
          return rest;
        }),
  };
}

describe('a dictation by microphone', () => {
  it.each([
    ['is printed after one Ctrl-C', 1, 'Hello.\n', 0],
    ['is discarded at the second Ctrl-C', 2, '', 1],
  ])('%s', async (_what, presses, out, code) => {
    const { devices, written, ended, speak, ctrlC, reply } = await start();
    await speak();
    for (let pressed = 0; pressed < presses; pressed += 1) await ctrlC();
    expect(devices.open).toEqual([]);
    await reply('Hello.');
    expect([written.out, ended.code]).toEqual([out, code]);
  });

  it('ends with an error message if the microphone is lost', async () => {
    const { devices, written, ended } = await start();
    devices.microphones.at(-1)?.emit({ kind: 'lost', error: appError('noMicrophone') });
    await flushPromises();
    expect(ended.code).toBe(4);
    expect(written.err).toContain('There is no microphone on this machine');
  });

  it('also prints what was said last before the microphone was lost', async () => {
    const { devices, written, ended, speak, ctrlC, reply } = await start();
    await speak();
    await speak(0);
    await reply('One.');
    await speak();
    devices.microphones.at(-1)?.emit({ kind: 'lost', error: appError('noMicrophone') });
    await flushPromises();
    await ctrlC();
    await reply('Two.');
    expect([written.out, ended.code]).toEqual(['One. Two.\n', 4]);
    expect(written.err).toContain('There is no microphone on this machine');
  });

  it('prints the words written so far if the next answer fails', async () => {
    const { written, ended, session, speak, enter, reply } = await start();
    await speak();
    await speak(0);
    await reply('One.');
    await speak();
    await enter();
    // The server answers with an error, but the session continues.
    const error = appError('serverReports', { reason: 'inference_error' });
    session()?.emit({ event: 'error', error, fatal: false, type: undefined });
    session()?.emit({ event: 'done', text: '', reason: 'inference_error' });
    await flushPromises();
    expect([written.out, ended.code]).toEqual(['One.\n', 1]);
  });
});

describe('a dictation from a file', () => {
  it('reports that no words were heard', async () => {
    const { written, ended } = await start('--audio', 'f/quiet.wav');
    expect([written.out, ended.code]).toEqual(['', 1]);
    expect(written.err).toMatch(/No words were heard\.\n$/);
  });

  it('prints each step as JSON, without a microphone', async () => {
    const { devices, events, session, reply } = await start('--audio', 'f/words.wav', '--json');
    expect(devices.microphones).toEqual([]);
    session()?.emit({ event: 'queue', position: 2 });
    await reply('Hello.');
    expect(events()).toEqual([
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
  ])('sets the exit code if %s', async (_name, error, code) => {
    const { ended, events, session } = await start('--audio', 'f/words.wav', '--json');
    session()?.close({ event: 'closed', error, by: 'server', orderly: false });
    await flushPromises();
    expect(ended.code).toBe(code);
    expect(events().at(-1)).toMatchObject({ event: 'error' });
  });
});

describe('the mode of a dictation', () => {
  it.each([
    ['verbatim', englishPhrasePrompt.request],
    ['clean', englishCursorPrompts.dictation.clean],
  ])('sends its prompt: %s', async (mode, request) => {
    const { asked } = await start('--audio', 'f/words.wav', '--mode', mode, '--language', 'French');
    expect(asked()).toContain(JSON.stringify(request).slice(1, -1));
    expect(asked()).toContain('It is said in this language: French.');
  });

  it('may name an action, which rewrites the words', async () => {
    const { written, ended, asked, reply } = await start(
      '--audio',
      'f/words.wav',
      '--mode',
      'Shorten',
    );
    await reply('A long text.');
    expect(asked()).toContain(JSON.stringify(englishCursorPrompts.actions.shorten).slice(1, -1));
    await reply('A text.');
    expect([written.out, ended.code]).toEqual(['A text.\n', 0]);
  });

  it('is refused with a list of the modes if it is unknown', async () => {
    const { ended } = await start('--audio', 'f/words.wav', '--mode', 'sing');
    expect(ended.failure).toMatchObject({
      code: 2,
      message:
        '--mode takes one of “verbatim”, “clean”, “Explain”, “Translate”, “Shorten”, “Correct”, “Reply”, not “sing”.',
    });
  });
});
