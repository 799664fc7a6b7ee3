import type { Floor } from '../../shared/talk/talk-view.ts';
import type { BargeInEvent } from '../audio/detection/barge-in.ts';
import type { AnswerPlayout } from './answer-playout.ts';
import type { ConversationEvent } from './conversation-options.ts';
import type { SessionEvent } from './session/session-event.ts';
import type { Uplink } from './uplink.ts';

interface Deps {
  readonly answer: Pick<
    AnswerPlayout,
    'isSounding' | 'isSpeaking' | 'setDucked' | 'silenceForUser'
  >;
  readonly uplink: Pick<Uplink, 'controls' | 'isSpeaking'>;
  readonly emit: (event: Extract<ConversationEvent, { event: 'floor' }>) => void;
}

/** Decides who has the floor, tells the transmit gate whether an answer plays, and reacts to barge-in. */
export class FloorTracker {
  readonly #deps: Deps;
  #floor: Floor = 'nobody';
  #turnOpen = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get isTurnOpen(): boolean {
    return this.#turnOpen;
  }

  onSessionEvent(event: SessionEvent): void {
    if (event.event === 'text' || event.event === 'audio') this.#turnOpen = true;
    else if (event.event === 'turnEnded') this.#turnOpen = false;
    else if (event.event === 'listen' && event.yields) this.#turnOpen = false;
  }

  /** The session ended or was given up, so its open turn receives no more words or sound. */
  onSessionEnd(): void {
    this.#turnOpen = false;
  }

  /** During a turn the model itself yields when the user speaks. A finished turn that still sounds must be silenced here. */
  readonly onBargeIn = (event: BargeInEvent): void => {
    const { answer } = this.#deps;
    answer.setDucked(event !== 'restore');
    if (event === 'takesFloor' && !this.#turnOpen) answer.silenceForUser();
  };

  /** Recomputes the floor; call after any change in speech or playout. */
  update(): void {
    const { answer, uplink, emit } = this.#deps;
    const { gate, view } = uplink.controls;
    gate.setAnswering(this.#turnOpen || answer.isSounding);
    const you = view.transmitting && uplink.isSpeaking;
    const floor = toFloor(you, answer.isSounding && answer.isSpeaking);
    if (floor === this.#floor) return;
    this.#floor = floor;
    emit({ event: 'floor', floor });
  }
}

function toFloor(you: boolean, parley: boolean): Floor {
  if (you) return parley ? 'both' : 'you';
  return parley ? 'parley' : 'nobody';
}
