import type {
  RoomTestFailure,
  RoomEcho,
  RoomJudgement,
} from '../../../shared/audio/room-judgement.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { energyOf, isClipped, levelDb, powerDb } from '../dsp/loudness.ts';
import { joinSamples } from '../dsp/samples.ts';
import { cancelRecording, measureEchoDelay, type EchoRecording } from '../echo/echo-recording.ts';
import type { RoomRecordings } from './room-test.ts';

/** 50 ms: shorter than a syllable, longer than room reverberation. */
const stepSamples = inputRate / 20;
/** The canceller needs this long to converge. */
const learningSamples = inputRate;
/** Delay of the canceller's output: 10 ms. */
const cancellerDelay = inputRate / 100;
/** Softer playback gives no information about its echo. */
const audibleDb = -45;
const audiblePeak = 0.01;
/** The phrase begins at the first sample above this share of its peak. */
const onsetShare = 0.05;
/** Below this level a microphone is muted. */
const muteDb = -90;
const minSteps = 10;
const minSpokenSteps = 6;
/** Power ratios from which a step counts as the user's speech. */
const minOverEcho = 2;
const minOverNoise = 10;

/** Judges a room with a talk's canceller: the phrase alone, then the user speaking over it. */
export async function judgeRoom(
  room: RoomRecordings,
  pause?: () => Promise<void>,
): Promise<RoomJudgement | RoomTestFailure> {
  const { quiet, alone, over } = room;
  const recordings = [quiet, alone.microphone, over?.microphone ?? quiet];
  if (recordings.every((sound) => levelDb(sound) < muteDb)) return 'mute';
  const start = firstAudible(alone.played);
  if (start === undefined) return 'unplayed';
  const noise = quantile(stepPowers(quiet), 0.5);
  const lateMs = measureEchoDelay(alone);
  const residual = (await cancelRecording(joinRecordings(alone, over), pause)).subarray(
    cancellerDelay,
  );
  const position = { start, echoDelaySamples: Math.round(((lateMs ?? 0) * inputRate) / 1000) };
  return {
    noiseDb: roundToTenth(powerDb(noise)),
    echo:
      lateMs === undefined ? undefined : judgeEcho(alone, { residual, noise, lateMs, ...position }),
    person: over && judgePerson(alone, over, { residual, noise, ...position }),
    isClipped: recordings.some(isClipped),
  };
}

interface Judged {
  /** The canceller's output, aligned with the microphone. */
  readonly residual: Float32Array;
  readonly noise: number;
  /** Start of the phrase, in samples. */
  readonly start: number;
  /** Echo delay, in samples. */
  readonly echoDelaySamples: number;
}

function judgeEcho(
  alone: EchoRecording,
  { residual, noise, start, echoDelaySamples, lateMs }: Judged & { readonly lateMs: number },
): RoomEcho | undefined {
  const from = start + learningSamples + echoDelaySamples;
  const capturedPowers = stepPowers(alone.microphone.subarray(from));
  const residualPowers = stepPowers(residual.subarray(from, alone.microphone.length));
  const audibleSteps = soundingSteps(alone.played.subarray(start + learningSamples));
  const steps = audibleSteps.filter(
    (step) => step < capturedPowers.length && step < residualPowers.length,
  );
  if (steps.length < minSteps) return undefined;
  const powers = steps.map((step) => capturedPowers[step] ?? 0);
  const mean = powers.reduce((sum, power) => sum + power, 0) / powers.length;
  const cancelledDb = steps.map(
    (step) => powerDb(capturedPowers[step] ?? 0) - powerDb(residualPowers[step] ?? 0),
  );
  const loudResidualPower = quantile(
    steps.map((step) => residualPowers[step] ?? 0),
    0.9,
  );
  return {
    delayMs: roundToTenth(lateMs),
    echoAboveNoiseDb: roundToTenth(powerDb(mean - noise) - powerDb(noise)),
    medianCancelledDb: roundToTenth(quantile(cancelledDb, 0.5)),
    worstCancelledDb: roundToTenth(quantile(cancelledDb, 0.1)),
    residualAboveNoiseDb: roundToTenth(powerDb(loudResidualPower) - powerDb(noise)),
  };
}

/** Compares both recordings in the same steps of the phrase; the additional power is the user's. */
function judgePerson(
  alone: EchoRecording,
  userOverPhrase: EchoRecording,
  { residual, noise, start, echoDelaySamples }: Judged,
): RoomJudgement['person'] {
  const secondStart = firstAudible(userOverPhrase.played);
  if (secondStart === undefined) return undefined;
  const echoPowers = stepPowers(alone.microphone.subarray(start + echoDelaySamples));
  const capturedPowers = stepPowers(
    userOverPhrase.microphone.subarray(secondStart + echoDelaySamples),
  );
  const residualPowers = stepPowers(
    residual.subarray(alone.microphone.length + secondStart + echoDelaySamples),
  );
  let [stepCount, userPower, keptPower] = [0, 0, 0];
  for (const step of soundingSteps(userOverPhrase.played.subarray(secondStart))) {
    const [power, echoPower] = [capturedPowers[step] ?? 0, echoPowers[step] ?? 0];
    // A syllable of the phrase may fall into the step before or after.
    const minPower = Math.max(
      echoPowers[step - 1] ?? 0,
      minOverEcho * echoPower,
      echoPowers[step + 1] ?? 0,
    );
    if (step >= residualPowers.length || power < minPower || power < minOverNoise * noise) continue;
    stepCount += 1;
    userPower += power - echoPower;
    keptPower += residualPowers[step] ?? 0;
  }
  if (stepCount < minSpokenSteps) return undefined;
  // In these steps the echo is soft, so the difference is the user's power to a few tenths of a dB.
  return {
    attenuationDb: roundToTenth(
      Math.max(0, powerDb(userPower / stepCount) - powerDb(keptPower / stepCount)),
    ),
  };
}

/** Joins both recordings into one talk, so the canceller has learned the room before the user speaks. */
function joinRecordings(alone: EchoRecording, over: EchoRecording | undefined): EchoRecording {
  if (over === undefined) return alone;
  return {
    microphone: joinSamples([alone.microphone, over.microphone]),
    played: joinSamples([alone.played, over.played]),
  };
}

function soundingSteps(played: Float32Array): readonly number[] {
  return stepPowers(played).flatMap((power, step) => (powerDb(power) > audibleDb ? [step] : []));
}

/** First sample of the phrase, which both recordings play without other sound. */
function firstAudible(played: Float32Array): number | undefined {
  const peak = played.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  if (peak < audiblePeak) return undefined;
  return played.findIndex((sample) => Math.abs(sample) > onsetShare * peak);
}

function stepPowers(sound: Float32Array): readonly number[] {
  return Array.from({ length: Math.floor(sound.length / stepSamples) }, (_, step) => {
    const from = step * stepSamples;
    return energyOf(sound, from, from + stepSamples) / stepSamples;
  });
}

/** Quantile of the values; `fraction` 0.5 is the median. Returns 0 for an empty list. */
function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
