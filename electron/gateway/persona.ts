import type { Pictures } from '../../shared/ports/pictures.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { DemoClip, DemoSpeech } from './gateway-options.ts';
import { openFrameObserver } from './received-picture.ts';
import {
  composeUtterance,
  sliceUtterance,
  type Utterance,
  type UtteranceSlice,
} from './utterance.ts';

const minSpeechMs = 200;
const quietBeforeAnswerMs = 600;
/** After so much quiet, what was too short to be speech is forgotten: a click, a cough. */
const forgottenAfterMs = 1500;
const talkedOverMs = 400;

export interface PersonaDeps {
  readonly speech: DemoSpeech;
  readonly pictures: Pictures;
  /** By how many samples of its sound the text runs ahead; left out, not at all. */
  readonly textLead?: number | undefined;
  /** The first sound of each turn, in samples. */
  readonly firstChunk: number;
}

export interface PersonaInput {
  readonly audio: Float32Array;
  /** The newest picture, where there is one. */
  readonly frame: Uint8Array | undefined;
  readonly forceListen: boolean;
}

/** What the persona does with one step: its share of a turn, `first` when the turn begins, or it listens. */
export type PersonaAction = 'listen' | (UtteranceSlice & { readonly first: boolean });

/** Whoever answers in the demonstration: takes turns with the person and yields when interrupted. */
export interface Persona {
  readonly step: (perception: PersonaInput) => PersonaAction;
}

export function openPersona({ speech, pictures, firstChunk, textLead = 0 }: PersonaDeps): Persona {
  const detector = openVoiceActivityDetector();
  const clipRotation = openClipRotation(speech);
  const frames = openFrameObserver(pictures);
  let turn: Utterance | undefined;
  let said = 0;
  let interrupted = false;
  let justEnded = false;

  function yieldTurn(): PersonaAction {
    turn = undefined;
    interrupted = true;
    return 'listen';
  }

  function beginTurn(heard: number): PersonaAction {
    const kind = frames.hasFrame ? 'answerWithFrame' : 'answer';
    const clips = clipRotation.next(interrupted ? 'interrupted' : kind);
    interrupted = false;
    detector.reset();
    const utterance = composeUtterance(clips, { see: frames.remark });
    frames.reset();
    if (utterance.audio.length === 0) return 'listen';
    turn = utterance;
    said = 0;
    return speak(utterance, heard);
  }

  // A step brings as much sound as it took: who sends shorter chunks gets shorter ones, not faster talk.
  function speak(utterance: Utterance, heard: number): PersonaAction {
    const first = said === 0;
    const pace = Math.min(outputRate, Math.round((heard / inputRate) * outputRate));
    const maxSamples = Math.max(1, first ? Math.min(firstChunk, pace) : pace);
    const until = Math.min(utterance.audio.length, said + maxSamples);
    const slice = sliceUtterance(utterance, said, until, textLead);
    said = until;
    if (slice.last) {
      turn = undefined;
      justEnded = true;
    }
    return { ...slice, first };
  }

  return {
    step: ({ audio, frame, forceListen }) => {
      const stretch = detector.push(audio);
      if (detector.speechMs < minSpeechMs && detector.silenceMs >= forgottenAfterMs)
        detector.reset();
      if (frame !== undefined) frames.observe(frame, detector.speechMs > 0);
      if (turn !== undefined) {
        return forceListen || stretch >= talkedOverMs ? yieldTurn() : speak(turn, audio.length);
      }
      // The step after a turn always listens: servers without an end marker say the end with it.
      const waits = forceListen || justEnded;
      justEnded = false;
      const heardOut =
        detector.speechMs >= minSpeechMs && detector.silenceMs >= quietBeforeAnswerMs;
      return heardOut && !waits ? beginTurn(audio.length) : 'listen';
    },
  };
}

// The ids are those of resources/speech/index.json.
const first = ['hello', 'hear'];
const later = [
  ['turns', 'recorded'],
  ['loudness', 'interrupt'],
  ['again', 'hear'],
  ['only', 'connect'],
];
const firstWithFrame = ['hello', 'see'];
const laterWithFrame = [
  ['see', 'turns'],
  ['see', 'recorded'],
  ['again', 'see', 'interrupt'],
  ['see', 'only', 'connect'],
];
const afterInterruption = ['sorry'];

export type ReplyKind = 'answer' | 'answerWithFrame' | 'interrupted';

/** Chooses what to say, in a fixed rotation so that two runs are alike. */
export interface ClipRotation {
  readonly next: (kind: ReplyKind) => readonly DemoClip[];
}

function openClipRotation(speech: DemoSpeech): ClipRotation {
  let answers = 0;

  function answer(opening: readonly string[], others: readonly (readonly string[])[]) {
    const ids = answers === 0 ? opening : others[(answers - 1) % others.length];
    answers += 1;
    return clipsOf(speech, ids ?? []);
  }

  return {
    next: (kind) => {
      switch (kind) {
        case 'answer':
          return answer(first, later);
        case 'answerWithFrame':
          return answer(firstWithFrame, laterWithFrame);
        case 'interrupted':
          return clipsOf(speech, afterInterruption);
      }
    },
  };
}

/** The clips with these ids; where there is none of them, the first there is. */
function clipsOf(speech: DemoSpeech, ids: readonly string[]): readonly DemoClip[] {
  const clips = ids
    .map((id) => speech.clips.find((clip) => clip.id === id))
    .filter((clip) => clip !== undefined);
  return clips.length > 0 ? clips : speech.clips.slice(0, 1);
}

const windowSamples = inputRate / 20;
const windowMs = (1000 * windowSamples) / inputRate;
const minNoiseFloor = 0.001;
const minSpeechLevel = 0.008;
const speechAboveFloor = 3;
/** The floor sinks to a quieter room at once and rises only slowly, so that speech is not taken for it. */
const floorFall = 0.3;
const floorRise = 1.01;

/** Notices by loudness alone when the person speaks. Times are in milliseconds of sound heard. */
export interface VoiceActivityDetector {
  /** Speech since the last `forget`. */
  readonly speechMs: number;
  /** Quiet at the end of what was heard. */
  readonly silenceMs: number;
  /** Takes one chunk and returns how long the longest stretch of speech was that reaches into it. */
  readonly push: (audio: Float32Array) => number;
  readonly reset: () => void;
}

export function openVoiceActivityDetector(): VoiceActivityDetector {
  let floor = 0.003;
  let spoken = 0;
  let quiet = 0;
  /** Grows with speech and shrinks with quiet, half as fast: words have gaps between them. */
  let stretch = 0;

  function hearWindow(level: number, ms: number): void {
    const threshold = Math.max(minSpeechLevel, floor * speechAboveFloor);
    if (level >= threshold) {
      spoken += ms;
      quiet = 0;
      stretch += ms;
    } else {
      quiet += ms;
      stretch = Math.max(0, stretch - ms / 2);
    }
    const next = level < floor ? floor + (level - floor) * floorFall : floor * floorRise;
    floor = Math.max(minNoiseFloor, next);
  }

  return {
    get speechMs() {
      return spoken;
    },
    get silenceMs() {
      return quiet;
    },
    push: (audio) => {
      let longestStretch = 0;
      for (let from = 0; from < audio.length; from += windowSamples) {
        const until = Math.min(audio.length, from + windowSamples);
        hearWindow(levelOf(audio, from, until), (windowMs * (until - from)) / windowSamples);
        longestStretch = Math.max(longestStretch, stretch);
      }
      return longestStretch;
    },
    reset: () => {
      spoken = 0;
      stretch = 0;
    },
  };
}

/** Root mean square; what is no number counts as silence. */
function levelOf(audio: Float32Array, from: number, until: number): number {
  let sum = 0;
  for (let at = from; at < until; at += 1) {
    const sample = audio[at] ?? 0;
    sum += sample * sample;
  }
  const level = Math.sqrt(sum / (until - from));
  return Number.isFinite(level) ? Math.min(level, 1) : 0;
}
