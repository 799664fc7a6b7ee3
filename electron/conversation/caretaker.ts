import type { TalkLimits, TalkWarning } from '../../shared/talk/talk-limits.ts';
import { carryOver } from '../care/carry-over.ts';
import { Limits } from '../care/limits.ts';
import { Measures } from '../care/measures.ts';
import { MeasuresLog } from '../care/measures-log.ts';
import type { MeasureKind } from '../../shared/talk/talk-measures.ts';
import { Reconnecting } from '../care/reconnecting.ts';
import type { AfterEnding } from '../care/reconnect-policy.ts';
import { SleepWatch } from '../care/sleep-watch.ts';
import { Transcript } from '../care/transcript.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { SessionEvent } from '../session/session-event.ts';
import type { ConversationOptions } from './conversation.ts';
import type { HeardTurn } from './live-captions.ts';

type Options = Pick<
  ConversationOptions,
  'mode' | 'settings' | 'locale' | 'sessionSeconds' | 'contextTokens' | 'reconnects'
>;

interface Needs {
  readonly clock: Clock;
  readonly random: Random;
  readonly wallNow: (() => number) | undefined;
  readonly log: ((line: string) => void) | undefined;
  readonly limits: (left: TalkLimits) => void;
  readonly warning: (warning: TalkWarning) => void;
  /** The machine slept, and nothing comes of the line any more. */
  readonly lineDead: () => void;
}

/** What is watched over all sessions of a conversation, and over each. */
export class Caretaker {
  readonly measures = new Measures();
  readonly #log: MeasuresLog;
  readonly #options: Options;
  readonly #needs: Needs;
  readonly #reconnecting: Reconnecting;
  readonly #sleep: SleepWatch | undefined;
  #limits: Limits | undefined;
  #transcript = newTranscript();

  constructor(options: Options, needs: Needs) {
    this.#options = options;
    this.#needs = needs;
    this.#log = new MeasuresLog(needs.clock, () => this.measures.summary());
    this.#reconnecting = new Reconnecting(needs);
    const { clock, wallNow } = needs;
    this.#sleep =
      wallNow &&
      new SleepWatch({
        clock,
        wallNow,
        lineDead: (sleptMs) => {
          this.#limits?.slept(sleptMs);
          this.#reconnecting.woke();
          needs.lineDead();
        },
      });
  }

  /** With every block of the microphone. */
  look(): void {
    this.#sleep?.look();
  }

  woke(): void {
    if (this.#sleep !== undefined) this.#sleep.woke();
    else {
      this.#reconnecting.woke();
      this.#needs.lineDead();
    }
  }

  /** A new session is about to be opened. */
  begin(): void {
    const { mode, sessionSeconds, contextTokens } = this.#options;
    const { clock, limits, warning } = this.#needs;
    // What was suspected was about the line before.
    this.#sleep?.stop();
    this.#limits?.stop();
    this.#limits = new Limits({
      clock,
      mode,
      sessionSeconds,
      contextTokens,
      changed: limits,
      warn: warning,
    });
  }

  /** The person wants to go on. */
  goOn(carry: 'transcript' | 'nothing'): void {
    this.#reconnecting.began();
    if (carry === 'nothing') this.#transcript = newTranscript();
  }

  /** The instructions with what was said so far. */
  instructions(heardSoFar: readonly HeardTurn[]): string | undefined {
    for (const { turn, heard } of heardSoFar) this.#transcript.heard(turn, heard);
    return carryOver({
      turns: this.#transcript.turns(),
      instructions: this.#options.settings.instructions,
      locale: this.#options.locale ?? 'en',
    });
  }

  /** Everything that a session tells, but its end. */
  hear(event: SessionEvent): void {
    if (event.event === 'state') {
      this.#reconnecting.entered(event.state);
      this.#limits?.entered(event.state);
    } else if (event.event === 'dropped') this.measures.addDrop(event.samples);
    else if (event.event !== 'sent') this.#sleep?.heardServer();
    if (event.event !== 'metrics') return;
    this.#limits?.used(event.metrics.contextTokens);
    this.measures.addMetrics(event.metrics, event.roundTripMs);
    const { log } = this.#needs;
    const line = log && this.#log.due();
    if (line !== undefined) log?.(line);
  }

  turnHeard({ turn, heard, cut }: HeardTurn): void {
    this.#transcript.heard(turn, heard);
    if (cut === '') this.#transcript.complete(turn);
    else this.#transcript.cut(turn);
  }

  measured(kind: MeasureKind, ms: number): void {
    this.measures.add(kind, ms);
  }

  ended(event: Extract<SessionEvent, { event: 'closed' }>): AfterEnding {
    this.#limits?.stop();
    const then = this.#reconnecting.ended(event);
    const alone = then.do === 'reconnect' && this.#options.reconnects === false;
    return alone ? { do: 'stop', offer: 'retry' } : then;
  }

  stop(): void {
    this.#limits?.stop();
    this.#sleep?.stop();
  }
}

/** Turns are counted on over all sessions here, so that to a transcript they are one. */
function newTranscript(): Transcript {
  const transcript = new Transcript();
  transcript.begin();
  return transcript;
}
