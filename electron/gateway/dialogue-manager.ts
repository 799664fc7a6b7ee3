import type { Pictures } from '../../shared/ports/pictures.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { FrameSize } from '../../shared/vision/vision-frame.ts';
import type { DemoClip, DemoSpeech } from './gateway-options.ts';
import {
  composeUtterance,
  sliceUtterance,
  type Utterance,
  type UtteranceSlice,
} from './utterance.ts';

const minSpeechMs = 200;
const silenceBeforeAnswerMs = 600;
/** After this much silence, sound that was too short for speech, such as a cough, is forgotten. */
const discardAfterMs = 1500;
const bargeInMs = 400;

/** The recordings and pictures of the demonstration. */
export interface DialogueDeps {
  readonly speech: DemoSpeech;
  readonly pictures: Pictures;
  /** How far text runs ahead of its sound, in samples; 0 by default. */
  readonly textLead?: number | undefined;
  /** Maximum length of each turn's first sound, in samples. */
  readonly firstChunk: number;
}

/** The decoded content of one append. */
export interface DialogueInput {
  readonly audio: Float32Array;
  readonly frame: Uint8Array | undefined;
  readonly forceListen: boolean;
}

/** The slice of a turn that one step speaks (`isFirst` if it begins the turn), or `listen`. */
export type DialogueAction = 'listen' | (UtteranceSlice & { readonly isFirst: boolean });

/** The demonstration's dialogue manager: answers with recorded clips when the user stops speaking, and yields when interrupted. */
export interface DialogueManager {
  readonly step: (input: DialogueInput) => DialogueAction;
}

export function openDialogueManager({
  speech,
  pictures,
  firstChunk,
  textLead = 0,
}: DialogueDeps): DialogueManager {
  const detector = openVoiceActivityDetector();
  const clipRotation = openClipRotation(speech);
  const frames = openFrameObserver(pictures);
  let turn: Utterance | undefined;
  let spokenSamples = 0;
  let wasInterrupted = false;
  let hasTurnJustEnded = false;

  function yieldTurn(): DialogueAction {
    turn = undefined;
    wasInterrupted = true;
    return 'listen';
  }

  function beginTurn(heard: number): DialogueAction {
    const kind = frames.hasFrame ? 'answerWithFrame' : 'answer';
    const clips = clipRotation.next(wasInterrupted ? 'interrupted' : kind);
    wasInterrupted = false;
    detector.reset();
    const utterance = composeUtterance(clips, { see: frames.sizeNote });
    frames.reset();
    if (utterance.audio.length === 0) return 'listen';
    turn = utterance;
    spokenSamples = 0;
    return speak(utterance, heard);
  }

  // A step speaks as long as it listened, so shorter appends get shorter slices, not faster speech.
  function speak(utterance: Utterance, heard: number): DialogueAction {
    const isFirst = spokenSamples === 0;
    const pace = Math.min(outputRate, Math.round((heard / inputRate) * outputRate));
    const maxSamples = Math.max(1, isFirst ? Math.min(firstChunk, pace) : pace);
    const until = Math.min(utterance.audio.length, spokenSamples + maxSamples);
    const slice = sliceUtterance(utterance, spokenSamples, until, textLead);
    spokenSamples = until;
    if (slice.isLast) {
      turn = undefined;
      hasTurnJustEnded = true;
    }
    return { ...slice, isFirst };
  }

  return {
    step: ({ audio, frame, forceListen }) => {
      const speechRunMs = detector.push(audio);
      if (detector.speechMs < minSpeechMs && detector.silenceMs >= discardAfterMs) detector.reset();
      if (frame !== undefined) frames.observe(frame, detector.speechMs > 0);
      if (turn !== undefined)
        return forceListen || speechRunMs >= bargeInMs ? yieldTurn() : speak(turn, audio.length);
      // The step after a turn always listens: servers without an end marker end the turn that way.
      const mustListen = forceListen || hasTurnJustEnded;
      hasTurnJustEnded = false;
      const hasUserFinished =
        detector.speechMs >= minSpeechMs && detector.silenceMs >= silenceBeforeAnswerMs;
      return hasUserFinished && !mustListen ? beginTurn(audio.length) : 'listen';
    },
  };
}

// The ids are those of resources/speech/index.json.
const firstAnswer = ['hello', 'hear'];
const laterAnswers = [
  ['turns', 'recorded'],
  ['loudness', 'interrupt'],
  ['again', 'hear'],
  ['only', 'connect'],
];
const firstAnswerWithFrame = ['hello', 'see'];
const laterAnswersWithFrame = [
  ['see', 'turns'],
  ['see', 'recorded'],
  ['again', 'see', 'interrupt'],
  ['see', 'only', 'connect'],
];
const interruptedAnswer = ['sorry'];

export type ReplyKind = 'answer' | 'answerWithFrame' | 'interrupted';

/** Chooses clips in a fixed rotation, so that two runs are alike. */
export interface ClipRotation {
  readonly next: (kind: ReplyKind) => readonly DemoClip[];
}

function openClipRotation(speech: DemoSpeech): ClipRotation {
  let answers = 0;

  function answer(opening: readonly string[], others: readonly (readonly string[])[]) {
    const ids = answers === 0 ? opening : others[(answers - 1) % others.length];
    answers += 1;
    return findClipsById(speech, ids ?? []);
  }

  return {
    next: (kind) => {
      switch (kind) {
        case 'answer':
          return answer(firstAnswer, laterAnswers);
        case 'answerWithFrame':
          return answer(firstAnswerWithFrame, laterAnswersWithFrame);
        case 'interrupted':
          return findClipsById(speech, interruptedAnswer);
      }
    },
  };
}

/** The clips with these ids, or the first clip if none exists. */
function findClipsById(speech: DemoSpeech, ids: readonly string[]): readonly DemoClip[] {
  const clips = ids
    .map((id) => speech.clips.find((clip) => clip.id === id))
    .filter((clip) => clip !== undefined);
  return clips.length > 0 ? clips : speech.clips.slice(0, 1);
}

/** Measures one picture while the user speaks, so that the answer can mention it. */
export interface FrameObserver {
  readonly hasFrame: boolean;
  /** A sentence with the picture's size, once it was measured. */
  readonly sizeNote: string | undefined;
  readonly observe: (frame: Uint8Array, shouldMeasure: boolean) => void;
  readonly reset: () => void;
}

function openFrameObserver(pictures: Pictures): FrameObserver {
  let hasFrame = false;
  let isMeasuring = false;
  let size: FrameSize | undefined;
  let turn = 0;

  async function measureFrame(frame: Uint8Array): Promise<void> {
    const measuredTurn = turn;
    isMeasuring = true;
    try {
      const found = await pictures.measure(frame);
      if (found.ok && turn === measuredTurn) size = found.value;
    } catch {
      // The answer does not mention a picture that cannot be measured.
    } finally {
      isMeasuring = false;
    }
  }

  return {
    get hasFrame() {
      return hasFrame;
    },
    get sizeNote() {
      return size && `(It is ${size.width} by ${size.height} pixels.)`;
    },
    observe: (frame, shouldMeasure) => {
      hasFrame = true;
      if (shouldMeasure && !isMeasuring && size === undefined) void measureFrame(frame);
    },
    reset: () => {
      turn += 1;
      hasFrame = false;
      size = undefined;
    },
  };
}

const windowSamples = inputRate / 20;
const windowMs = (1000 * windowSamples) / inputRate;
const minNoiseFloor = 0.001;
const minSpeechLevel = 0.008;
const speechAboveFloor = 3;
/**
 * In each window of 50 ms, the noise floor falls by 30 % of the way to a lower level, or rises by 1 %, so that speech
 * hardly raises it.
 */
const floorFall = 0.3;
const floorRise = 1.01;

/** Detects speech by loudness alone. Times are in milliseconds of received sound. */
export interface VoiceActivityDetector {
  /** Speech since the last `reset`. */
  readonly speechMs: number;
  /** Silence since the last speech. */
  readonly silenceMs: number;
  /** Adds a chunk and returns the longest run of speech that reaches into it, in ms. */
  readonly push: (audio: Float32Array) => number;
  readonly reset: () => void;
}

export function openVoiceActivityDetector(): VoiceActivityDetector {
  let noiseFloor = 0.003;
  let speechMs = 0;
  let silenceMs = 0;
  /** The current run of speech. Silence shrinks it half as fast as speech extends it, because words have gaps. */
  let speechRunMs = 0;

  function addWindow(level: number, ms: number): void {
    const threshold = Math.max(minSpeechLevel, noiseFloor * speechAboveFloor);
    if (level >= threshold) {
      speechMs += ms;
      silenceMs = 0;
      speechRunMs += ms;
    } else {
      silenceMs += ms;
      speechRunMs = Math.max(0, speechRunMs - ms / 2);
    }
    const next =
      level < noiseFloor ? noiseFloor + (level - noiseFloor) * floorFall : noiseFloor * floorRise;
    noiseFloor = Math.max(minNoiseFloor, next);
  }

  return {
    get speechMs() {
      return speechMs;
    },
    get silenceMs() {
      return silenceMs;
    },
    push: (audio) => {
      let maxRunMs = 0;
      for (let from = 0; from < audio.length; from += windowSamples) {
        const until = Math.min(audio.length, from + windowSamples);
        addWindow(rmsLevel(audio, from, until), (windowMs * (until - from)) / windowSamples);
        maxRunMs = Math.max(maxRunMs, speechRunMs);
      }
      return maxRunMs;
    },
    reset: () => {
      speechMs = 0;
      speechRunMs = 0;
    },
  };
}

/** Root mean square. A level that is not finite counts as silence. */
function rmsLevel(audio: Float32Array, from: number, until: number): number {
  let sum = 0;
  for (let at = from; at < until; at += 1) {
    const sample = audio[at] ?? 0;
    sum += sample * sample;
  }
  const level = Math.sqrt(sum / (until - from));
  return Number.isFinite(level) ? Math.min(level, 1) : 0;
}
