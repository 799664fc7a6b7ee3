import { reasonOf } from '../../../../shared/errors/session-reasons.ts';
import { AnswerPlayout } from '../../../conversation/answer-playout.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { SessionEvent } from '../../../session/session-event.ts';
import type { AnswerFiles } from './answer-files.ts';
import { CaptionAssembler } from '../views/caption-assembler.ts';
import type { SessionClosedEvent } from './run-session.ts';
import type { ViewEvent } from '../views/terminal-view.ts';

type Show = (event: ViewEvent) => void;

const nothing = (): void => undefined;

/**
 * What was heard of a tape's sessions. They are no conversation: a tape may be of chat, and whether a
 * lost session is reconnected, and when, was decided when it was recorded.
 */
export class ReplayedAnswer {
  readonly #answer: AnswerPlayout;
  readonly #show: Show;
  #before = 0;
  #lastTurn = 0;
  #inTurn = false;

  constructor(clock: Clock, { played, cue }: Pick<AnswerFiles, 'played' | 'cue'>, show: Show) {
    this.#show = show;
    this.#answer = new AnswerPlayout({
      clock,
      speaker: undefined,
      jitter: { stepMs: 0, pace: undefined },
      played,
      cue,
      caption: new CaptionAssembler(show).patch,
      gap: nothing,
      turnHeard: nothing,
      delay: nothing,
      changed: nothing,
    });
  }

  /** What was said last has no end yet. */
  get inTurn(): boolean {
    return this.#inTurn;
  }

  readonly hear = (event: SessionEvent): void => {
    if (event.event === 'text' || event.event === 'audio') this.#inTurn = true;
    else if (event.event === 'turnEnded' || event.event === 'listen') this.#inTurn = false;
    if (event.event === 'audio') this.#audio(this.#counted(event.turn), event.audio);
    else if (event.event === 'listen') {
      const flushedSamples = event.yields ? this.#answer.yielded() : 0;
      this.#show({ event: 'listen', flushedSamples });
    } else if (event.event === 'text') this.#text(this.#counted(event.turn), event.text);
    else if (event.event === 'turnEnded') this.#turnEnded(this.#counted(event.turn));
    else if (event.event !== 'closed') {
      if (event.event === 'state' && event.state === 'live') this.#answer.begin();
      this.#show(event);
    }
  };

  /** The session is over, and another one follows on the tape. */
  lost({ error }: Pick<SessionClosedEvent, 'error'>): void {
    this.#before = this.#lastTurn;
    this.#answer.abandon();
    const sentence = `The session ended (${reasonOf(error)}); the tape goes on with the next.`;
    this.#show({ event: 'note', sentence });
  }

  /** It is over, and nothing may be lost. */
  ended(ending: SessionClosedEvent): SessionClosedEvent {
    this.#answer.finish();
    this.#show(ending);
    return ending;
  }

  /** As in a talk, a number is one turn of all sessions. */
  #counted(turn: number): number {
    this.#lastTurn = Math.max(this.#lastTurn, this.#before + turn);
    return this.#before + turn;
  }

  #audio(turn: number, audio: Float32Array): void {
    this.#answer.audio(turn, audio);
    this.#show({ event: 'audio', turn, samples: audio.length });
  }

  #text(turn: number, text: string): void {
    this.#show({ event: 'text', turn, text });
    this.#answer.text(turn, text);
  }

  #turnEnded(turn: number): void {
    this.#show({ event: 'turnEnded', turn });
    this.#answer.turnEnded(turn);
  }
}
