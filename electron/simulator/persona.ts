import { inputRate, outputRate } from '../../shared/protocol/limits.ts';
import type { Pictures } from '../ports/pictures.ts';
import { openEar } from './ear.ts';
import type { DemoSpeech } from './gateway.ts';
import { openGlance } from './glance.ts';
import { openRepertoire } from './repertoire.ts';
import { composeUtterance, shareOf } from './utterance.ts';
import type { Share, Utterance } from './utterance.ts';

const leastSpokenMs = 200;
const quietBeforeAnswerMs = 600;
/** After so much quiet, what was too short to be speech is forgotten: a click, a cough. */
const forgottenAfterMs = 1500;
const talkedOverMs = 400;

export interface PersonaNeeds {
  readonly speech: DemoSpeech;
  readonly pictures: Pictures;
  /** The first sound of each turn, in samples. */
  readonly firstChunk: number;
}

export interface Perception {
  readonly audio: Float32Array;
  /** The newest picture, where there is one. */
  readonly frame: Uint8Array | undefined;
  readonly forceListen: boolean;
}

/** What the persona does with one step: its share of a turn, `first` when the turn begins, or it listens. */
export type Deed = 'listen' | (Share & { readonly first: boolean });

/** Whoever answers in the demonstration: takes turns with the person and yields when interrupted. */
export interface Persona {
  readonly step: (perception: Perception) => Deed;
}

export function openPersona({ speech, pictures, firstChunk }: PersonaNeeds): Persona {
  const ear = openEar();
  const repertoire = openRepertoire(speech);
  const glance = openGlance(pictures);
  let turn: Utterance | undefined;
  let said = 0;
  let interrupted = false;
  let justEnded = false;

  function yieldTurn(): Deed {
    turn = undefined;
    interrupted = true;
    return 'listen';
  }

  function beginTurn(heard: number): Deed {
    const occasion = glance.seeing ? 'answerSeeing' : 'answer';
    const clips = repertoire.next(interrupted ? 'interrupted' : occasion);
    interrupted = false;
    ear.forget();
    const utterance = composeUtterance(clips, { see: glance.remark });
    glance.forget();
    if (utterance.audio.length === 0) return 'listen';
    turn = utterance;
    said = 0;
    return speak(utterance, heard);
  }

  // A step brings as much sound as it took: who sends shorter chunks gets shorter ones, not faster talk.
  function speak(utterance: Utterance, heard: number): Deed {
    const first = said === 0;
    const pace = Math.min(outputRate, Math.round((heard / inputRate) * outputRate));
    const most = Math.max(1, first ? Math.min(firstChunk, pace) : pace);
    const until = Math.min(utterance.audio.length, said + most);
    const share = shareOf(utterance, said, until);
    said = until;
    if (share.last) {
      turn = undefined;
      justEnded = true;
    }
    return { ...share, first };
  }

  return {
    step: ({ audio, frame, forceListen }) => {
      const stretch = ear.hear(audio);
      if (ear.spoken < leastSpokenMs && ear.quiet >= forgottenAfterMs) ear.forget();
      if (frame !== undefined) glance.see(frame, ear.spoken > 0);
      if (turn !== undefined) {
        return forceListen || stretch >= talkedOverMs ? yieldTurn() : speak(turn, audio.length);
      }
      // The step after a turn always listens: servers without an end marker say the end with it.
      const waits = forceListen || justEnded;
      justEnded = false;
      const heardOut = ear.spoken >= leastSpokenMs && ear.quiet >= quietBeforeAnswerMs;
      return heardOut && !waits ? beginTurn(audio.length) : 'listen';
    },
  };
}
