import { noiseHeard } from '../../../../shared/sound/room-heard.ts';
import type { NoJudgement, RoomJudgement } from '../../../sound/devices/judge-room.ts';

/** What the sentences of advice are about; `--json` has these words. */
type RoomAdvice = 'clipped' | 'noise' | 'echoLeft' | 'late' | 'person';

/** Above this an echo that is left is heard at the other end. */
const mostLeftDb = 10;
/** Softer than this nothing is heard, however quiet the room is. */
const inaudibleDb = -70;
/** Later than this an echo is found only two seconds into the first answer. */
const latestMs = 250;
/** A person who loses more is hard to understand. */
const mostLostDb = 6;

export const unjudged: Readonly<Record<NoJudgement, string>> = {
  mute: 'The microphone gives silence: it may be muted, or the system keeps it from this terminal.',
  unplayed:
    'The speaker played nothing that can be heard: turn up the playback volume in the settings.',
};

const noises = { quiet: 'quiet', some: 'some noise', loud: 'loud' } as const;

const advices: Readonly<Record<RoomAdvice, string>> = {
  clipped: 'The sound is too loud for the microphone: turn it down, or the speaker.',
  noise: 'The room is loud: a headset, or a microphone nearer to you, helps.',
  echoLeft:
    'Some of the echo can be heard: lower the volume, move the microphone away from the speaker, or use a headset.',
  late: 'The speaker is late, as over Bluetooth: it may interrupt the first answer. A cable helps.',
  person: 'You are made softer over it: speak louder, lower the volume, or use a headset.',
};

/** What is poor in a room, and can be made better. */
export function roomAdvice({
  noiseDb,
  echo,
  person,
  isClipped,
}: RoomJudgement): readonly RoomAdvice[] {
  const left = echo?.leftOverNoiseDb ?? 0;
  const poor: Readonly<Record<RoomAdvice, boolean>> = {
    clipped: isClipped,
    noise: noiseHeard(noiseDb) === 'loud',
    echoLeft: left > mostLeftDb && noiseDb + left > inaudibleDb,
    late: (echo?.lateMs ?? 0) > latestMs,
    person: (person?.lostDb ?? 0) > mostLostDb,
  };
  return roomAdvices.filter((advice) => poor[advice]);
}

const roomAdvices = ['clipped', 'noise', 'echoLeft', 'late', 'person'] as const;

/** A room in sentences: noise, echo, the person where somebody was asked to speak, and advice where something is poor. */
export function roomSentences(room: RoomJudgement, wasAsked: boolean): readonly string[] {
  const { noiseDb, person } = room;
  return [
    `Noise: ${noises[noiseHeard(noiseDb)]} (${db(noiseDb)} dBFS).`,
    echoSentence(room.echo),
    ...(wasAsked ? [personSentence(person)] : []),
    ...roomAdvice(room).map((advice) => advices[advice]),
  ];
}

function echoSentence(echo: RoomJudgement['echo']): string {
  if (echo === undefined) return 'No echo is heard: a headset, or the volume is down.';
  const { overNoiseDb, lateMs, takenDb, worstTakenDb } = echo;
  const over = overNoiseDb < 0 ? 'under' : 'over';
  return (
    `Echo: ${Math.abs(overNoiseDb).toFixed(0)} dB ${over} the noise, ${lateMs.toFixed(0)} ms late; ` +
    `Parley takes out ${db(takenDb)} dB (worst tenth ${db(worstTakenDb)}).`
  );
}

function personSentence(person: RoomJudgement['person']): string {
  if (person === undefined)
    return 'You over it: nobody was heard who is louder than the echo. Speak up, or lower the volume.';
  return `You over it: ${person.lostDb.toFixed(1)} dB are taken from you.`;
}

/** With the minus that is read as one, and no minus before a zero. */
function db(value: number): string {
  return String(Math.round(value) + 0).replace('-', '−');
}
