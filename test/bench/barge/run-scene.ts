import { CapturePipeline } from '../../../electron/audio/capture/microphone.ts';
import {
  defaultBargeInOptions,
  type BargeInDetector,
  type BargeInEvent,
} from '../../../electron/audio/detection/barge-in.ts';
import { resample } from '../../../electron/audio/dsp/sinc-resampler.ts';
import { AdaptiveCanceller } from '../../../electron/audio/echo/adaptive-canceller.ts';
import { EchoCancellation } from '../../../electron/audio/echo/echo-cancellation.ts';
import { SpeakerHistory } from '../../../electron/audio/echo/far-end-signal.ts';
import { CaptureEnhancement } from '../../../electron/audio/enhance/capture-enhancement.ts';
import { Ducking } from '../../../electron/audio/playback/ducking.ts';
import { Uplink } from '../../../electron/talk/uplink.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { defaultSettings } from '../../../shared/settings/settings.ts';
import { FakeClock } from '../../fakes/fake-clock.ts';
import { FakeLog } from '../../fakes/fake-log.ts';
import type { BargeScene, Interjection } from './barge-scenes.ts';

const blockMs = 20;
const block = (inputRate * blockMs) / 1000;
const outBlock = (outputRate * blockMs) / 1000;
/** Output latency of the device, in blocks. */
const aheadBlocks = 2;
/** Interval of the conversation's playhead updates, in blocks. */
const lookBlocks = 2;

export type TimedEvent = readonly [sample: number, event: BargeInEvent];

/**
 * Runs a talk on a virtual clock with the product's capture, uplink and ducking; ducking also lowers the echo. A `second`
 * detector gets the same sound as the product's. Training passes one that records its inputs.
 */
export async function runScene(
  scene: BargeScene,
  second?: Pick<BargeInDetector, 'played' | 'push'>,
): Promise<readonly TimedEvent[]> {
  const { played, answers, room } = scene;
  const clock = new FakeClock();
  const reference = new SpeakerHistory({ playedRate: outputRate, capturedRate: inputRate });
  const { noise, level } = defaultSettings.audio;
  let gain = 1;
  const ducking = new Ducking(clock, { setDuckGain: (wanted) => (gain = wanted) });
  const events: TimedEvent[] = [];
  let now = 0;
  let answering = false;
  const pipeline = new CapturePipeline(
    {
      pushAudio: (heard) => {
        second?.push(heard, clock.now(), answering, {
          likelihood: pipeline.voiceLikelihood,
          presence: pipeline.nearEndPresence,
        });
        uplink.pushAudio(heard, answering);
      },
    },
    { gain: () => 1 },
    new EchoCancellation({
      open: () => new AdaptiveCanceller(),
      farEnd: {
        speaker: 'speaker',
        fill: (into, from, stepMs) => {
          reference.fill(into, from, stepMs);
        },
      },
      log: new FakeLog(),
      isEnabled: () => true,
    }),
    new CaptureEnhancement(() => ({ noise, level })),
  );
  const uplink = uplinkOf(clock, pipeline, (event) => {
    events.push([now, event]);
    ducking.set(event !== 'restore');
  });
  pipeline.begin(undefined, 'microphone');
  // Lets the canceller load.
  await Promise.resolve();
  const speaker = resample(played, inputRate, outputRate);
  // The gain of each block in the device's queue.
  const gains: number[] = Array.from({ length: aheadBlocks }, () => 1);
  const late = Math.round(room.path.delay / block);
  for (let at = 0; (at + 1) * block <= played.length; at += 1) {
    clock.advance(blockMs);
    const ahead = at + aheadBlocks;
    const [before, after] = [gains.at(-1) ?? 1, gain];
    gains.push(after);
    const out = speaker.slice(ahead * outBlock, (ahead + 1) * outBlock);
    reference.played(ramped(out, before, after), ahead * outBlock, ahead * blockMs);
    const from = at * block;
    const echo = scene.echo.slice(from, from + block);
    const heard = ramped(echo, gains[at - late - 1] ?? 1, gains[at - late] ?? 1);
    for (let n = 0; n < block; n += 1) heard[n] = (heard[n] ?? 0) + (scene.around[from + n] ?? 0);
    now = from + block;
    answering = answers.some(([begins, ends]) => now > begins && from < ends);
    if (answering && at % lookBlocks === 0) {
      const sounding = speaker.subarray((at - lookBlocks) * outBlock, at * outBlock);
      second?.played(sounding, clock.now());
      uplink.onPlayed(sounding);
    }
    pipeline.push(heard, from / (inputRate / 1000));
  }
  return events;
}

function ramped(sound: Float32Array, before: number, after: number): Float32Array {
  if (before === 1 && after === 1) return sound;
  return sound.map((sample, n) => sample * (before + ((after - before) * n) / sound.length));
}

function uplinkOf(
  clock: FakeClock,
  pipeline: CapturePipeline,
  onBargeIn: (event: BargeInEvent) => void,
): Uplink {
  const nothing = (): undefined => undefined;
  const { talking } = defaultSettings;
  const uplink = new Uplink(
    {
      talking: talking.mode,
      muted: false,
      chunkMs: 1000,
      bargeIn: { ...defaultBargeInOptions, ...talking.overlap },
      settings: {},
    },
    {
      clock,
      session: { pushAudio: nothing, missingSamples: () => 0 },
      emit: nothing,
      onDelay: nothing,
      onChange: nothing,
      onBargeIn,
      microphone: {
        latencyMs: () => blockMs,
        voiceLikelihood: () => pipeline.voiceLikelihood,
        hasEcho: () => pipeline.echo === 'heard',
        nearEndPresence: () => pipeline.nearEndPresence,
      },
    },
  );
  uplink.onPhase('live');
  return uplink;
}

export interface JudgedInterjection extends Pick<
  Interjection,
  'kind' | 'what' | 'name' | 'levelDb' | 'into'
> {
  readonly room: string;
  readonly echoDb: number;
  /** Whether the sound was in the first 1.2 s of the first answer. */
  readonly atFirst: boolean;
  /** Milliseconds from its start until the answer was lowered; undefined if that was missed. */
  readonly loweredMs: number | undefined;
  readonly cut: boolean;
  /** How often the answer was lowered or cut by its own echo. */
  readonly ownLowered: number;
  readonly ownCut: number;
}

/** A later reaction to a person counts as missed. */
const latestMs = 1000;
/** Samples after a sound until its outcome is final. */
const settleSamples = 0.5 * inputRate;
/** If the answer is already lowered, a sound counts as noticed when the answer stays lowered for this many samples. */
const stayLoweredSamples = 0.2 * inputRate;
/** The seconds of the first answer in which a sound is `atFirst`. */
const firstSeconds = 1.2;

export function judgeScene(
  scene: BargeScene,
  events: readonly TimedEvent[],
): readonly JudgedInterjection[] {
  return scene.interjections.map((one): JudgedInterjection => {
    const [begins, ends] = scene.answers[one.answer] ?? [0, 0];
    const during = events.filter(([at]) => at >= begins && at <= ends + settleSamples);
    const isOf = ([at]: TimedEvent): boolean =>
      one.kind !== 'nothing' && at > one.from && at <= one.to + settleSamples;
    const own = during.filter((event) => !isOf(event));
    const its = during.filter(isOf);
    const isLowered = events.findLast(([at]) => at <= one.from)?.[1] === 'duck';
    const [next] = its;
    const staysLowered =
      isLowered && (next === undefined || next[0] > one.from + stayLoweredSamples);
    const lowered = its.find(([, event]) => event === 'duck')?.[0] ?? Infinity;
    const loweredMs = staysLowered ? 0 : ((lowered - one.from) * 1000) / inputRate;
    const latest = one.kind === 'person' ? latestMs : Infinity;
    const { kind, what, name, levelDb, into } = one;
    return {
      kind,
      what,
      name,
      levelDb,
      into,
      room: scene.room.name,
      echoDb: scene.echoDb,
      atFirst: one.answer === 0 && into <= firstSeconds,
      loweredMs: loweredMs < latest ? loweredMs : undefined,
      cut: its.some(([, event]) => event === 'takesFloor'),
      ownLowered: own.filter(([, event]) => event === 'duck').length,
      ownCut: own.filter(([, event]) => event === 'takesFloor').length,
    };
  });
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;

/** One row per group of sounds: those that should interrupt, then those that should not. */
export function formatTable(judged: readonly JudgedInterjection[]): readonly string[] {
  const people = judged.filter(({ kind }) => kind === 'person');
  const others = judged.filter(({ kind }) => kind === 'noise' || kind === 'backChannel');
  const levels = [-10, -5, 0, 5, 10];
  const near = (wanted: number) => (one: JudgedInterjection) =>
    levels.every((other) => Math.abs(one.levelDb - wanted) <= Math.abs(one.levelDb - other));
  const rooms = [...new Set(people.map(({ room }) => room))].toSorted();
  const sum = (of: 'ownCut' | 'ownLowered'): number =>
    judged.reduce((all, one) => all + one[of], 0);
  return [
    noticedLine('people', people),
    noticedLine(
      '  first 1.2 s after a start',
      people.filter(({ atFirst }) => atFirst),
    ),
    noticedLine(
      '  later',
      people.filter(({ atFirst }) => !atFirst),
    ),
    ...levels.map((level) =>
      noticedLine(`  ${level} dB against the echo`, people.filter(near(level))),
    ),
    ...rooms.map((room) =>
      noticedLine(
        `  ${room.slice(0, 30)}`,
        people.filter((one) => one.room === room),
      ),
    ),
    otherLine('noises and back-channels', others),
    ...[...new Set(others.map(({ what }) => what))].toSorted().map((what) =>
      otherLine(
        `  ${what}`,
        others.filter((one) => one.what === what),
      ),
    ),
    `own echo, in ${judged.length} answers: cut ${sum('ownCut')}, lowered ${sum('ownLowered')}`,
  ];
}

function noticedLine(name: string, people: readonly JudgedInterjection[]): string {
  const delays = people
    .flatMap(({ loweredMs }) => (loweredMs === undefined ? [] : [loweredMs]))
    .toSorted((one, other) => one - other);
  const at = (share: number): string => {
    const delay = delays[Math.floor(share * (delays.length - 1))];
    return delay === undefined ? '-' : `${delay.toFixed(0)} ms`;
  };
  const soon = delays.filter((delay) => delay <= 300).length;
  const [noticed, within] = [delays.length, soon].map((part) => percent(part, people.length));
  const times = `${noticed} noticed, ${within} in 300 ms; median ${at(0.5)}, p95 ${at(0.95)}`;
  return `${name} (${people.length}): ${times}`;
}

function otherLine(name: string, others: readonly JudgedInterjection[]): string {
  const cut = others.filter((one) => one.cut).length;
  const lowered = others.filter(({ loweredMs }) => loweredMs !== undefined).length;
  return `${name} (${others.length}): cut ${percent(cut, others.length)}, lowered ${percent(lowered, others.length)}`;
}
