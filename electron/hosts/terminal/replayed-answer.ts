import { Answer } from '../../conversation/answer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SessionEvent } from '../../session/session-event.ts';
import type { AnswerFiles } from './answer-files.ts';
import { CaptionLine } from './caption-line.ts';
import type { ShownEvent } from './shown-event.ts';

type Show = (event: ShownEvent) => void;

const nothing = (): void => undefined;

/**
 * What was heard of a tape's session. A tape is played to a session and not to a conversation: it may
 * be of chat, and whether a lost line is fetched back was decided when it was recorded.
 */
export class ReplayedAnswer {
  readonly #answer: Answer;
  readonly #show: Show;

  constructor(clock: Clock, { played, cue }: Pick<AnswerFiles, 'played' | 'cue'>, show: Show) {
    this.#show = show;
    this.#answer = new Answer({
      clock,
      ways: { speaker: undefined, stepMs: 0, pace: undefined },
      played,
      cue,
      caption: new CaptionLine(show).patch,
      gap: nothing,
      turnHeard: nothing,
      delay: nothing,
      changed: nothing,
    });
  }

  readonly hear = (event: SessionEvent): void => {
    if (event.event === 'audio') this.#audio(event.turn, event.audio);
    else if (event.event === 'listen') {
      const flushedSamples = event.yields ? this.#answer.yielded() : 0;
      this.#show({ event: 'listen', flushedSamples });
    } else this.#tell(event);
  };

  #audio(turn: number, audio: Float32Array): void {
    this.#answer.audio(turn, audio);
    this.#show({ event: 'audio', turn, samples: audio.length });
  }

  #tell(event: Exclude<SessionEvent, { event: 'audio' | 'listen' }>): void {
    if (event.event === 'state' && event.state === 'live') this.#answer.begin();
    // The session is over, and nothing may be lost.
    if (event.event === 'closed') this.#answer.finish();
    this.#show(event);
    if (event.event === 'text') this.#answer.text(event.turn, event.text);
    if (event.event === 'turnEnded') this.#answer.turnEnded(event.turn);
  }
}
