import { inputRate, outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { Pictures } from '../ports/pictures.ts';
import { openVoiceActivityDetector } from './voice-activity-detector.ts';
import type { DemoSpeech } from './gateway.ts';
import { openFrameObserver } from './frame-observer.ts';
import { openClipRotation } from './clip-rotation.ts';
import { composeUtterance, sliceUtterance } from './utterance.ts';
import type { UtteranceSlice, Utterance } from './utterance.ts';

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
