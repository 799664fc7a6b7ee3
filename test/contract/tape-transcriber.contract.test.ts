import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import {
  defaultGatewayOptions,
  type DemoSpeech,
  type GatewayOptions,
} from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../electron/gateway/in-process-sockets.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { TapeTranscriber } from '../../electron/recordings/history/tape-transcriber.ts';
import { openSession } from '../../electron/talk/session/session.ts';
import { PhraseTranscriber } from '../../electron/talk/user-transcript/phrase-transcriber.ts';
import { UserTranscriptController } from '../../electron/talk/user-transcript/user-transcript-controller.ts';
import { englishPhrasePrompt } from '../../shared/i18n/en/prompts.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import type { OwnTurn, TalkRecord } from '../../shared/recordings/talk-record.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { seeded } from '../fakes/seeded.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { recordTalk } from '../fixtures/record-talk.ts';
import { renderDeps, tapeIn } from '../unit/electron/recordings/replay/render-tapes.ts';

const folder = '/tapes/talk';
const recordedAt = Date.parse('2026-01-02T03:04:05.000Z');
/** Milliseconds by which the tape begins before the talk. */
const tapeLeadMs = 400;
const sentences = [
  [3000, 'hear'],
  // During the answer.
  [9500, 'only'],
] as const;

let speech: DemoSpeech;
let files: FakeFiles;

beforeAll(async () => {
  speech = unwrap(
    await loadDemoSpeech(join(import.meta.dirname, '..', '..', 'resources', 'speech')),
  );
  const parts = sentences.map(([at, wanted]) => {
    const clip = speech.clips.find(({ id }) => id === wanted);
    return { from: at * 16, sound: resample(clip?.audio ?? new Float32Array(0), 24_000, 16_000) };
  });
  files = new FakeFiles();
  await recordTalk(folder, files, {
    bargeIn: true,
    hears: (ms) => {
      const block = new Float32Array(320);
      for (const { from, sound } of parts)
        for (let n = 0; n < 320; n += 1)
          block[n] = (block[n] ?? 0) + (sound[ms * 16 - 320 + n - from] ?? 0);
      return block;
    },
    actions: [
      [
        20_000,
        (talk) => {
          talk.end();
        },
      ],
    ],
  });
});

/** Transcribes the tape with a server of these options; returns the record’s new turns. */
async function transcribe(
  options: Partial<GatewayOptions>,
  server: TalkRecord['server'] = { name: 'Demonstration' },
) {
  const random = seeded(1);
  const gateway = openGateway(
    { ...defaultGatewayOptions, stepMs: 5, ...options },
    {
      clock: systemClock,
      random,
      codec: createServerCodec(bufferBase64),
      pictures: fakePictures(),
      speech,
    },
  );
  const sockets = inProcessSockets(gateway, systemClock);
  const turns: OwnTurn[] = [];
  const userTranscript = new UserTranscriptController({
    clock: systemClock,
    wallNow: () => 0,
    getMode: () => 'no',
    saveTurn: (_talk, turn) => {
      turns.push(turn);
    },
    openTranscriber: (events) =>
      new PhraseTranscriber({
        ...events,
        clock: systemClock,
        prompt: () => Promise.resolve(englishPhrasePrompt),
        openSession: (_server, emit) =>
          openSession(
            { mode: 'chat', settings: {}, dialect: options.dialect ?? 'auto', chunkMs: 1000 },
            {
              sockets,
              clock: systemClock,
              random,
              codec: createClientCodec(bufferBase64),
              emit,
              rememberDialect: () => undefined,
            },
          ),
      }),
  });
  let over: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const words = new TapeTranscriber({
    clock: systemClock,
    userTranscript,
    parseTime: Date.parse,
    record: () =>
      Promise.resolve({
        ok: true,
        value: {
          title: '',
          pinned: false,
          mode: 'audio',
          server,
          begunAt: recordedAt + tapeLeadMs,
          savedAt: recordedAt,
          turns: [],
          events: [],
          pictures: [],
        },
      }),
    loadTape: async () => {
      const tape = await tapeIn(folder, files);
      const release = (): Promise<void> => {
        tape.close();
        return Promise.resolve();
      };
      return { ok: true, value: { tape, folder, path: folder, release } };
    },
    rendering: () => Promise.resolve(renderDeps),
    servers: () => [],
    onProgress: () => {
      if (words.progressOf('talk')?.isRunning === false) over?.();
    },
  });
  onTestFinished(async () => {
    words.end();
    await userTranscript.end();
    void gateway.end();
  });
  const begun = await words.transcribe('talk');
  if (begun.ok) await ended;
  return { begun, turns, state: words.progressOf('talk') };
}

describe('the user’s speech on a tape', () => {
  it('is transcribed with its own times, even during an answer', async () => {
    const { turns, state } = await transcribe({});
    expect(state).toMatchObject({ isRunning: false, written: 2, error: undefined });
    expect(turns.map(({ text }) => text)).toEqual([
      'I can hear you, but I do not understand words.',
      'I am only a demonstration.',
    ]);
    for (const [index, [at]] of sentences.entries()) {
      const place = (turns[index]?.at ?? 0) + tapeLeadMs;
      expect(place).toBeGreaterThan(at - 400);
      expect(place).toBeLessThan(at + 100);
    }
  });

  it('is not transcribed by a server without chat, with the reason', async () => {
    const { turns, state } = await transcribe({ dialect: 'legacy' });
    expect(turns).toEqual([]);
    expect(state).toMatchObject({ isRunning: false, error: { code: 'noChatInLegacy' } });
  });

  it('is sent only to the server of the talk', async () => {
    const server = { name: 'Home', address: 'wss://home.example/v1/realtime' };
    const { begun, turns } = await transcribe({}, server);
    expect(begun).toMatchObject({ ok: false, error: { code: 'ownWordsServerGone' } });
    expect(turns).toEqual([]);
  });
});
