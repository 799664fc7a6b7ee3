import { appError } from '../../../../shared/errors/app-error.ts';
import { reasonOf } from '../../../../shared/errors/session-reasons.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';
import type { Parley } from '../../../app/compose-parley.ts';
import { createReplay } from '../../../recordings/replay/replay-tape.ts';
import type { Tape } from '../../../recordings/tape/tape.ts';
import { AnswerPlayout } from '../../../talk/answer-playout.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';
import type { Session } from '../../../talk/session/session.ts';
import { endedByUser } from '../../../talk/talk-lifecycle.ts';
import type { AnswerFiles } from '../options/command-files.ts';
import type { Terminal } from '../terminal-command.ts';
import { CaptionAssembler, type ViewEvent } from '../views/terminal-view.ts';
import { NextInterrupt, runSession, type SessionClosedEvent } from './run-session.ts';

interface Played {
  readonly tape: Tape;
  readonly clock: Clock;
  readonly answer: ReplayedAnswer;
}

const nothing = (): void => undefined;

/** Plays a tape to a session, and where that was lost and reconnected, to those that followed. */
export async function playTape(
  parley: Pick<Parley, 'openSession' | 'serverCodec'>,
  terminal: Terminal,
  { tape, clock, answer }: Played,
): Promise<SessionClosedEvent> {
  const { mode, settings, chunkMs } = tape.header;
  let { dialect } = tape.header;
  const seconds = Math.round((tape.lines.at(-1)?.at ?? 0) / 1000);
  /** Where the tape was cut, it is the tape that ends, and no session that was lost. */
  const endingOf = (ending: SessionClosedEvent): SessionClosedEvent => {
    if (!tape.cut || ending.orderly) return ending;
    const code = answer.inTurn ? 'tapeEndsInSentence' : 'tapeEndsEarly';
    const error = appError(code, { seconds });
    return { event: 'closed', error, by: 'client', orderly: true };
  };
  let waited = nothing;
  const replayed = createReplay(tape, {
    clock,
    codec: parley.serverCodec,
    waiting: () => {
      waited();
    },
  });
  for (;;) {
    const ending = await runSession(terminal, {
      open: (deps) => parley.openSession({ mode, settings, dialect, chunkMs }, deps),
      sockets: replayed.sockets,
      clock,
      // The same tape gives the same events each time.
      random: () => 0.5,
      onEvent: (event) => {
        // The talk remembered it as well.
        if (event.event === 'session') ({ dialect } = event);
        answer.hear(event);
      },
      onBegun: (session: Session) => {
        replayed.begin(session);
      },
    });
    if (!replayed.hasMoreConnections() || reasonOf(ending.error) === 'cut')
      return answer.ended(endingOf(ending));
    answer.lost(ending);
    const wanted = new Promise<true>((resolve) => {
      waited = () => {
        resolve(true);
      };
    });
    // Between two sessions there is none that could be ended.
    const interrupt = new NextInterrupt(terminal);
    const enough = interrupt.pressed.then(() => 'enough' as const);
    const next = await Promise.race([wanted, replayed.done, enough]);
    interrupt.forget();
    if (next !== true) return answer.ended(next === 'enough' ? endedByUser : endingOf(ending));
  }
}

type Show = (event: ViewEvent) => void;

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
