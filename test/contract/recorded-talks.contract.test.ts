import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { resample, SincResampler } from '../../electron/audio/dsp/sinc-resampler.ts';
import {
  defaultGatewayOptions,
  type DemoSpeech,
  type GatewayOptions,
} from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../electron/gateway/in-process-sockets.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { bufferBase64, startSha256 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { TapeTranscriber } from '../../electron/recordings/history/tape-transcriber.ts';
import { RecentTalkBuffer } from '../../electron/recordings/record/recent-talk-buffer.ts';
import { checkTape } from '../../electron/recordings/tape/inspect-tape.ts';
import { openSession } from '../../electron/talk/session/session.ts';
import { PhraseTranscriber } from '../../electron/talk/user-transcript/phrase-transcriber.ts';
import { UserTranscriptController } from '../../electron/talk/user-transcript/user-transcript-controller.ts';
import { done } from '../../shared/errors/app-error.ts';
import { englishPhrasePrompt } from '../../shared/i18n/en/prompts.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Files } from '../../shared/ports/files.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import type { TranscribedTurn, TalkRecord } from '../../shared/recordings/talk-record.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { seeded } from '../fakes/seeded.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { recordTalk } from '../fixtures/record-talk.ts';
import { renderDeps, renderInSteps, tapeIn } from '../fixtures/stored-tape.ts';
import { header } from '../unit/electron/recordings/tape/recorder-harness.ts';

const realFiles = createFiles();
let at: (name: string) => string;
beforeEach(() => {
  at = workFolder();
});

const deps = (clock: Clock, files: Files = realFiles) => ({
  files,
  clock,
  base64: bufferBase64,
  digest: startSha256,
  upsampler: () => new SincResampler(inputRate, outputRate),
  onError: () => undefined,
});

/** Records a talk, and saves its last two minutes to another tape after a time. Returns the seconds saved. */
async function recordAndSave(ms: number, maxBytes?: number) {
  let recent: RecentTalkBuffer | undefined;
  let kept: ReturnType<RecentTalkBuffer['writeTo']> | undefined;
  await recordTalk(at('whole'), realFiles, {
    mode: 'audio',
    bothSides: true,
    speaks: (now) => now % 9000 < 1800,
    openSecondRecorder: (clock) => {
      recent = new RecentTalkBuffer(clock, maxBytes);
      clock.after(ms, () => {
        // Writing takes real time, as in a talk.
        kept = recent?.writeTo(at('kept'), header, deps(systemClock));
      });
      return recent;
    },
    actions: [[152_000, (talk) => talk.end()]],
    endsAfterMs: 160_000,
  });
  const written = await kept;
  if (written?.ok !== true) throw new Error(JSON.stringify(written));
  return written.value.seconds;
}

async function readWords(name: string) {
  const tape = await tapeIn(at(name), realFiles);
  const { rendered } = await renderInSteps(tape);
  tape.close();
  const texts = new Map<number, string>();
  for (const notice of rendered.notices) {
    if (notice.name !== 'caption') continue;
    const { turn, added = '' } = notice.payload as { turn: number; added?: string };
    texts.set(turn, (texts.get(turn) ?? '') + added);
  }
  return { words: [...texts.values()], turns: rendered.turns, heard: rendered.heard };
}

describe('the last two minutes of a talk', { timeout: 90_000 }, () => {
  it('are a tape that replays what was said and heard, at the same times', async () => {
    const seconds = await recordAndSave(150_000);
    expect(seconds).toBeGreaterThanOrEqual(120);
    expect(seconds).toBeLessThan(140);
    const health = await checkTape(at('kept'), { files: realFiles, digest: startSha256 });
    expect(health).toMatchObject({ value: { state: 'early', changed: [], missing: [] } });
    const [whole, kept] = [await readWords('whole'), await readWords('kept')];
    const began = 150_000 - seconds * 1000;
    expect(kept.turns.length).toBeGreaterThan(9);
    const first = whole.turns.findIndex(({ from }) => from > began - 500);
    expect(first).toBeGreaterThan(0);
    for (const [n, turn] of kept.turns.slice(0, -1).entries()) {
      const then = whole.turns[first + n];
      expect(turn.from + began).toBeCloseTo(then?.from ?? NaN, -3.1);
      expect(turn.to - turn.from).toBeCloseTo((then?.to ?? NaN) - (then?.from ?? NaN), -2.7);
      expect(kept.words[n]).toBe(whole.words[first + n]);
    }
  });

  it('stay within their memory limit @nightly', async () => {
    const seconds = await recordAndSave(100_000, 4_000_000);
    expect(seconds).toBeLessThan(60);
    expect((await readWords('kept')).words.length).toBeGreaterThan(0);
  });
});

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
  hasRecord = true,
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
  const turns: TranscribedTurn[] = [];
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
    hasRecord: () => Promise.resolve(hasRecord),
    keepRecord: () => Promise.resolve(done),
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
  it('is transcribed at the times of the speech, even during an answer', async () => {
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

  it('is not sent after the talk was deleted', async () => {
    const { turns, state } = await transcribe({}, { name: 'Demonstration' }, false);
    expect(turns).toEqual([]);
    expect(state).toMatchObject({ isRunning: false, written: 0, error: undefined });
  });

  it('is sent only to the server of the talk', async () => {
    const server = { name: 'Home', address: 'wss://home.example/v1/realtime' };
    // After a crash, the record has only the name.
    for (const gone of [server, { name: 'Home' }]) {
      const { begun, turns } = await transcribe({}, gone);
      expect(begun).toMatchObject({ ok: false, error: { code: 'ownWordsServerGone' } });
      expect(turns).toEqual([]);
    }
  });
});
