import { CapturePipeline } from '../../../electron/audio/capture/microphone.ts';
import {
  type BargeInDetector,
  type BargeInEvent,
  defaultBargeInOptions,
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
import type { BargeScene } from './barge-scenes.ts';

const blockMs = 20;
const block = (inputRate * blockMs) / 1000;
const outBlock = (outputRate * blockMs) / 1000;
/** Output latency of the device, in blocks. */
const aheadBlocks = 2;
/** Interval of the conversation's playhead updates, in blocks. */
const lookBlocks = 2;

export type TimedEvent = readonly [sample: number, event: BargeInEvent];

/**
 * Runs a talk on a virtual clock with the product's capture, uplink and ducking; ducking also lowers the echo. If
 * given, `second` gets the same sound; training uses it to collect its inputs.
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
