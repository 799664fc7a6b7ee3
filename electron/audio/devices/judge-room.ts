import type { NoJudgement, RoomEcho, RoomJudgement } from '../../../shared/audio/room-judgement.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { energyOf, isClipped, levelDb, powerDb } from '../dsp/loudness.ts';
import { joinSamples } from '../dsp/samples.ts';
import { cancelRecording, echoDelayOf, type EchoRecording } from '../echo/echo-recording.ts';
import type { RoomRecordings } from './room-test.ts';

/** 50 ms: shorter than a syllable, longer than what a room smears. */
const stepSamples = inputRate / 20;
/** The canceller needs that long to learn a room. */
const learningSamples = inputRate;
/** The canceller's output is later by this. */
const heldSamples = inputRate / 100;
/** Softer sound says nothing about its echo. */
const audibleDb = -45;
const audiblePeak = 0.01;
const beginsAt = 0.05;
/** No microphone that is open is quieter. */
const muteDb = -90;
const fewestSteps = 10;
const fewestSpoken = 6;
/** Somebody is there where the microphone has so much more than the echo alone had. */
const overEcho = 2;
const overNoise = 10;

/** Judges a room by the canceller that a talk would have: the phrase alone first, and then somebody over it, in a room that is known by then. */
export async function judgeRoom(
  room: RoomRecordings,
  pause?: () => Promise<void>,
): Promise<RoomJudgement | NoJudgement> {
  const { quiet, alone, over } = room;
  const heard = [quiet, alone.microphone, over?.microphone ?? quiet];
  if (heard.every((sound) => levelDb(sound) < muteDb)) return 'mute';
  const start = firstAudible(alone.played);
  if (start === undefined) return 'unplayed';
  const noise = share(stepPowers(quiet), 0.5);
  const lateMs = echoDelayOf(alone);
  const left = (await cancelRecording(overAfter(alone, over), pause)).subarray(heldSamples);
  const place = { start, late: Math.round(((lateMs ?? 0) * inputRate) / 1000) };
  return {
    noiseDb: rounded(powerDb(noise)),
    echo: lateMs === undefined ? undefined : judgeEcho(alone, { left, noise, lateMs, ...place }),
    person: over && judgePerson(alone, over, { left, noise, ...place }),
    isClipped: heard.some(isClipped),
  };
}

interface Judged {
  /** The canceller's output, at the time of the microphone. */
  readonly left: Float32Array;
  readonly noise: number;
  /** Where the phrase begins, in samples. */
  readonly start: number;
  /** How much later its echo comes. */
  readonly late: number;
}

function judgeEcho(
  alone: EchoRecording,
  { left, noise, start, late, lateMs }: Judged & { readonly lateMs: number },
): RoomEcho | undefined {
  const from = start + learningSamples + late;
  const came = stepPowers(alone.microphone.subarray(from));
  const rest = stepPowers(left.subarray(from, alone.microphone.length));
  const sounds = soundingSteps(alone.played.subarray(start + learningSamples));
  const steps = sounds.filter((step) => step < came.length && step < rest.length);
  if (steps.length < fewestSteps) return undefined;
  const powers = steps.map((step) => came[step] ?? 0);
  const mean = powers.reduce((sum, power) => sum + power, 0) / powers.length;
  const taken = steps.map((step) => powerDb(came[step] ?? 0) - powerDb(rest[step] ?? 0));
  const loudest = share(
    steps.map((step) => rest[step] ?? 0),
    0.9,
  );
  return {
    lateMs: rounded(lateMs),
    overNoiseDb: rounded(powerDb(mean - noise) - powerDb(noise)),
    takenDb: rounded(share(taken, 0.5)),
    worstTakenDb: rounded(share(taken, 0.1)),
    leftOverNoiseDb: rounded(powerDb(loudest) - powerDb(noise)),
  };
}

/** Both times at the same places of the phrase: what is more the second time is the person. */
function judgePerson(
  alone: EchoRecording,
  over: EchoRecording,
  { left, noise, start, late }: Judged,
): RoomJudgement['person'] {
  const again = firstAudible(over.played);
  if (again === undefined) return undefined;
  const echo = stepPowers(alone.microphone.subarray(start + late));
  const came = stepPowers(over.microphone.subarray(again + late));
  const rest = stepPowers(left.subarray(alone.microphone.length + again + late));
  let [places, own, kept] = [0, 0, 0];
  for (const step of soundingSteps(over.played.subarray(again))) {
    const [power, before] = [came[step] ?? 0, echo[step] ?? 0];
    // A syllable of the phrase that comes a little sooner or later is nobody.
    const around = Math.max(echo[step - 1] ?? 0, overEcho * before, echo[step + 1] ?? 0);
    if (step >= rest.length || power < around || power < overNoise * noise) continue;
    places += 1;
    own += power - before;
    kept += rest[step] ?? 0;
  }
  if (places < fewestSpoken) return undefined;
  // Where the echo alone was as soft as that the difference is the person's to a few tenths.
  return { lostDb: rounded(Math.max(0, powerDb(own / places) - powerDb(kept / places))) };
}

/** As one talk: whoever speaks over a phrase does so in a room that was heard before. */
function overAfter(alone: EchoRecording, over: EchoRecording | undefined): EchoRecording {
  if (over === undefined) return alone;
  return {
    microphone: joinSamples([alone.microphone, over.microphone]),
    played: joinSamples([alone.played, over.played]),
  };
}

function soundingSteps(played: Float32Array): readonly number[] {
  return stepPowers(played).flatMap((power, step) => (powerDb(power) > audibleDb ? [step] : []));
}

/** Where the phrase begins, to a sample: both times it is the same sound, and nothing is beside it. */
function firstAudible(played: Float32Array): number | undefined {
  const peak = played.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  if (peak < audiblePeak) return undefined;
  return played.findIndex((sample) => Math.abs(sample) > beginsAt * peak);
}

function stepPowers(sound: Float32Array): readonly number[] {
  return Array.from({ length: Math.floor(sound.length / stepSamples) }, (_, step) => {
    const from = step * stepSamples;
    return energyOf(sound, from, from + stepSamples) / stepSamples;
  });
}

/** The value that such a share of them is not above; 0.5 is the median. Nothing is as silence. */
function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** To a tenth: no measure here is better than that. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
