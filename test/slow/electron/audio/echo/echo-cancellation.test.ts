import { describe, expect, it } from 'vitest';
import { CapturePipeline } from '../../../../../electron/audio/capture/microphone.ts';
import { resample, TimedResampler } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { EchoCancellation } from '../../../../../electron/audio/echo/echo-cancellation.ts';
import {
  CancellerCache,
  isEchoCancelled,
} from '../../../../../electron/audio/echo/echo-canceller.ts';
import { SpeakerHistory } from '../../../../../electron/audio/echo/far-end-signal.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom, type EchoRoom, measureVoice, powerDb } from '../../../../fakes/echo-room.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { seeded } from '../../../../fakes/seeded.ts';

describe('breaks in playback', () => {
  const seconds = 30;
  const samples = seconds * inputRate;
  const block = inputRate / 50;
  const samplesPerMs = inputRate / 1000;
  const ratio = outputRate / inputRate;
  /** The echo paths, direct and reflected: delay in samples, and gain. */
  const paths = [
    [640, 0.5],
    [900, 0.08],
    [1400, -0.05],
    [2300, 0.03],
  ] as const;

  /** Uninterrupted playback. All values are in samples. */
  interface Stretch {
    /** When the room hears it. */
    readonly at: number;
    /** Its start in the played signal. */
    readonly from: number;
    readonly length: number;
  }

  /** After five seconds, playback pauses for 12 to 62 ms after every 0.4 to 1.2 s. */
  function makeStretches(random: () => number): readonly Stretch[] {
    const stretches: Stretch[] = [];
    let [at, from, length] = [0, 0, 5 * inputRate];
    while (at < samples) {
      stretches.push({ at, from, length: Math.min(length, samples - at) });
      at += length + Math.round((0.012 + 0.05 * random()) * inputRate);
      from += length;
      length = Math.round((0.4 + 0.8 * random()) * inputRate);
    }
    return stretches;
  }

  /** Reports playback 40 ms ahead like a sound card, with the first 40 ms after a break stamped too early by `earlyMs`. */
  function createReporter(
    reference: SpeakerHistory,
    played: Float32Array,
    stretches: readonly Stretch[],
  ) {
    const speech = resample(played, inputRate, outputRate);
    const reports = stretches.flatMap(({ at, from, length }, index) =>
      Array.from({ length: Math.floor(length / 160) }, (_, n) => ({
        at: at + n * 160,
        from: from + n * 160,
        count: n === Math.floor(length / 160) - 1 ? 160 + (length % 160) : 160,
        isEarly: index > 0 && n < 4,
        index,
      })),
    );
    let next = 0;
    return (until: number, earlyMs: (stretch: number) => number): void => {
      for (; next < reports.length; next += 1) {
        const report = reports[next];
        if (report === undefined || report.at >= until) return;
        const [start, end] = [report.from, report.from + report.count].map((n) =>
          Math.round(n * ratio),
        );
        const off = report.isEarly ? earlyMs(report.index) : 0;
        reference.played(speech.subarray(start, end), start ?? 0, report.at / samplesPerMs - off);
      }
    };
  }

  /** Returns the sound that Parley sends from a room with breaks in playback, and the user’s speech in it. */
  async function sendWithBreaks(seed: number, speaks: readonly (readonly [number, number])[]) {
    const random = seeded(seed);
    const room = echoRoom({ seed, seconds, speaks });
    const played = room.played.map((sample) => sample * 3);
    const stretches = makeStretches(random);
    const heard = new Float32Array(samples);
    for (const { at, from, length } of stretches)
      heard.set(played.subarray(from, from + length), at);
    const microphone = room.voice.map((sample) => sample + 1e-5 * (random() - 0.5));
    for (const [later, share] of paths)
      for (let n = later; n < samples; n += 1)
        microphone[n] = (microphone[n] ?? 0) + share * (heard[n - later] ?? 0);
    const reference = new SpeakerHistory({ playedRate: outputRate, capturedRate: inputRate });
    const report = createReporter(reference, played, stretches);
    const early = stretches.map(() => 2 + 4 * random());
    const echo = new EchoCancellation({
      open: () => new AdaptiveCanceller(),
      farEnd: {
        speaker: undefined,
        get newest() {
          return reference.newest;
        },
        fill: (into, from, stepMs) => {
          reference.fill(into, from, stepMs);
        },
      },
      log: new FakeLog(),
      isEnabled: () => true,
    });
    await Promise.resolve();
    const sent = new Float32Array(samples);
    let end = 0;
    for (let at = 0; at + block <= samples; at += block) {
      report(at + 3 * block, (stretch) => early[stretch] ?? 0);
      const part = echo.process(microphone.slice(at, at + block), at / samplesPerMs);
      sent.set(part, end);
      end += part.length;
    }
    return { sent, voice: room.voice };
  }

  it.each([1, 2])(
    'with early timestamps leave 99 % of blocks of 20 ms under −55 dBFS: room %i',
    async (seed) => {
      const { sent } = await sendWithBreaks(seed, []);
      const levels: number[] = [];
      for (let at = 8; at + 0.02 < seconds; at += 0.02) levels.push(powerDb(sent, at, at + 0.02));
      const p99 = levels.toSorted((a, b) => a - b)[Math.floor(levels.length * 0.99)];
      expect(p99).toBeLessThan(-55);
    },
  );

  it.each([1, 2])(
    'with early timestamps lower near-end speech by less than 5 dB: room %i',
    async (seed) => {
      const { sent, voice } = await sendWithBreaks(seed, [[8, seconds]]);
      let [both, own] = [0, 0];
      for (let n = 8 * inputRate; n + 160 < samples; n += 1) {
        // The canceller’s output is 10 ms late.
        both += (voice[n] ?? 0) * (sent[n + 160] ?? 0);
        own += (voice[n] ?? 0) ** 2;
      }
      expect(20 * Math.log10(both / own)).toBeGreaterThan(-5);
    },
  );
});

describe('a change of devices during an answer', () => {
  const blockMs = 20;
  const seconds = 12;
  /** When the devices change, in seconds. */
  const changeAt = 6;

  /** The microphone’s rate and the speaker’s name after the change. */
  interface Change {
    readonly rate: number;
    readonly speaker: string;
  }

  /** Captures a room with an answer, during which the devices change. */
  async function captureWithChange({ rate, speaker }: Change) {
    const room = echoRoom({ seed: 31, seconds, echoDb: -22 });
    const speech = resample(room.played, inputRate, outputRate);
    const fast = resample(room.microphone, inputRate, rate);
    const reference = new SpeakerHistory({ playedRate: outputRate, capturedRate: inputRate });
    let currentSpeaker = 'Built-in Audio';
    const echo = new EchoCancellation({
      open: () => new AdaptiveCanceller(),
      farEnd: {
        get speaker() {
          return currentSpeaker;
        },
        fill: (into, from, stepMs) => {
          reference.fill(into, from, stepMs);
        },
      },
      log: new FakeLog(),
      isEnabled: (devices) => isEchoCancelled('auto', devices),
    });
    await Promise.resolve();
    const sent: number[] = [];
    const states: string[] = [];
    const sink = { pushAudio: (block: Float32Array) => void sent.push(...block) };
    const pipeline = new CapturePipeline(sink, { gain: () => 1 }, echo);
    pipeline.begin(undefined, 'Desk');
    for (let ms = 0; ms < seconds * 1000; ms += blockMs) {
      const ahead = ((ms + 2 * blockMs) * outputRate) / 1000;
      reference.played(
        speech.subarray(ahead, ahead + (blockMs * outputRate) / 1000),
        ahead,
        ms + 2 * blockMs,
      );
      if (ms === changeAt * 1000) {
        currentSpeaker = speaker;
        if (rate !== inputRate)
          pipeline.begin(new TimedResampler(rate, inputRate), 'Another microphone');
      }
      const now = ms < changeAt * 1000 ? inputRate : rate;
      const captured = now === inputRate ? room.microphone : fast;
      pipeline.push(captured.slice((ms * now) / 1000, ((ms + blockMs) * now) / 1000), ms);
      states.push(pipeline.echo);
    }
    const reductionDb = (from: number, to: number): number =>
      powerDb(room.microphone, from, to) - powerDb(Float32Array.from(sent), from, to);
    return { room, sent, states, reductionDb };
  }

  it('to another microphone at another rate keeps the cancellation', async () => {
    const { states, reductionDb } = await captureWithChange({
      rate: 48_000,
      speaker: 'Built-in Audio',
    });
    expect(reductionDb(4, 6)).toBeGreaterThan(25);
    expect(reductionDb(8.5, 11.5)).toBeGreaterThan(25);
    expect(states.at(-1)).toBe('heard');
  });

  it('to a headset stops the cancellation, and then every sample passes unchanged', async () => {
    const { room, sent, states, reductionDb } = await captureWithChange({
      rate: inputRate,
      speaker: 'USB Headset',
    });
    expect(reductionDb(4, 6)).toBeGreaterThan(25);
    expect(states[(changeAt * 1000) / blockMs]).toBe('off');
    const from = (changeAt + 1) * inputRate;
    const after = sent.slice(from, from + inputRate);
    expect(after.every((sample, n) => sample === room.microphone[from + n])).toBe(true);
  });
});

describe('the next talk', () => {
  const block = inputRate / 50;

  /** Runs a talk: opens the microphone, captures the room and closes it. Returns the sent sound on the room’s timeline. */
  async function talk(room: EchoRoom, cache: CancellerCache | undefined): Promise<Float32Array> {
    const echo = new EchoCancellation({
      open: () => new AdaptiveCanceller(),
      farEnd: {
        speaker: 'Built-in',
        fill: (into, from) => {
          const at = Math.round((from * inputRate) / 1000);
          for (let n = 0; n < into.length; n += 1) into[n] = room.played[at + n] ?? 0;
        },
      },
      log: new FakeLog(),
      isEnabled: () => true,
      cache,
    });
    echo.begin('Desk');
    await Promise.resolve();
    const sent: number[] = [];
    for (let at = 0; at + block <= room.microphone.length; at += block)
      sent.push(...echo.process(room.microphone.slice(at, at + block), (at * 1000) / inputRate));
    echo.close();
    return Float32Array.from(sent.slice(inputRate / 100));
  }

  const first = echoRoom({ seed: 41, seconds: 10, echoDb: -22 });
  /** The same room, with speech over the first second of the next talk’s first answer. */
  const next = echoRoom({ seed: 41, seconds: 6, echoDb: -22, speaks: [[0.2, 1.2]] });
  /** The room after somebody moved the speaker. */
  const moved = echoRoom({ seed: 43, seconds: 10, echoDb: -22, delayMs: 75 });

  it('with the same microphone passes speech over the first second of an answer', async () => {
    const unknownRoomDb = measureVoice(
      next,
      await talk(next, new CancellerCache()),
      0.3,
      1.2,
    ).gainDb;
    const cache = new CancellerCache();
    await talk(first, cache);
    const heard = await talk(next, cache);
    const { gainDb } = measureVoice(next, heard, 0.3, 1.2);
    process.stdout.write(
      `speech over the first second of an answer: ${unknownRoomDb.toFixed(1)} dB in an unknown room, ${gainDb.toFixed(1)} dB in a known one\n`,
    );
    expect(unknownRoomDb).toBeLessThan(-8);
    expect(gainDb).toBeGreaterThan(-4);
    expect(powerDb(heard, 3, 6)).toBeLessThan(-55);
  });

  it('keeps the echo of a moved speaker under -40 dBFS', async () => {
    const maxDb = (sound: Float32Array): number =>
      Math.max(...Array.from({ length: 19 }, (_, n) => powerDb(sound, n / 2, (n + 1) / 2)));
    const cache = new CancellerCache();
    await talk(first, cache);
    const echoDb = maxDb(await talk(moved, cache));
    process.stdout.write(`loudest half second after a move: ${echoDb.toFixed(0)} dBFS\n`);
    expect(echoDb).toBeLessThan(-40);
  });
});
