import type { Floor } from '../../shared/talk/talk-state.ts';
import type { BargeInEvent } from '../audio/detection/barge-in.ts';
import type { AnswerPlayout } from './answer-playout.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { SessionEvent } from './session/session-event.ts';
import type { UplinkPath } from './uplink.ts';

interface Deps {
  readonly answer: Pick<AnswerPlayout, 'sounding' | 'speaks' | 'setDucked' | 'silence'>;
  readonly uplink: Pick<UplinkPath, 'controls' | 'speaks'>;
  readonly emit: (event: Extract<ConversationEvent, { event: 'floor' }>) => void;
}

/** Who speaks now, and what follows from it: what the gate hears, and what becomes of an answer that is spoken over. */
export class FloorTracker {
  readonly #deps: Deps;
  #floor: Floor = 'nobody';
  #turnOpen = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Something of a turn has come, and its end has not. */
  get turnOpen(): boolean {
    return this.#turnOpen;
  }

  onSessionEvent(event: SessionEvent): void {
    if (event.event === 'text' || event.event === 'audio') this.#turnOpen = true;
    else if (event.event === 'turnEnded') this.#turnOpen = false;
    else if (event.event === 'listen' && event.yields) this.#turnOpen = false;
  }

  /** Or it was given up; nothing more comes of its turn. */
  sessionEnded(): void {
    this.#turnOpen = false;
  }

  /**
   * Whoever wants to speak is heard by the model, which then yields. Where it has said everything
   * already, and only the rest of it still sounds, nobody else would stop it.
   */
  readonly onBargeIn = (event: BargeInEvent): void => {
    const { answer } = this.#deps;
    answer.setDucked(event !== 'restore');
    if (event === 'takesFloor' && !this.#turnOpen) answer.silence(true);
  };

  /** Something that this goes by may have changed. */
  update(): void {
    const { answer, uplink, emit } = this.#deps;
    const { gate, view } = uplink.controls;
    gate.setAnswering(this.#turnOpen || answer.sounding);
    const you = view.transmitting && uplink.speaks;
    const floor = floorOf(you, answer.sounding && answer.speaks);
    if (floor === this.#floor) return;
    this.#floor = floor;
    emit({ event: 'floor', floor });
  }
}

function floorOf(you: boolean, parley: boolean): Floor {
  if (you) return parley ? 'both' : 'you';
  return parley ? 'parley' : 'nobody';
}
