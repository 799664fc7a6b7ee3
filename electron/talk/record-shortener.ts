import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import {
  cleanShortened,
  recordTokens,
  recordToShorten,
  type ShortenedRecord,
} from './policies/carry-over.ts';
import { dueSeconds } from './policies/hand-over-policy.ts';
import type { TranscriptTurn } from './policies/transcript.ts';

/** What is asked of the talk's server, beside the talk. */
interface ShortenRequest {
  readonly system: string;
  readonly request: string;
  /** Longer no answer is waited for. */
  readonly maxMs: number;
}

/**
 * Has the talk's server put a text into fewer words, where it has a place free at once. `done` gets what it wrote, or
 * nothing; what is handed back calls it off.
 */
export type Shorten = (
  request: ShortenRequest,
  done: (answer: string | undefined) => void,
) => () => void;

interface Deps {
  readonly clock: Clock;
  readonly messages: CoreMessages['carryOver'];
  readonly turns: () => readonly TranscriptTurn[];
  /** Missing where nobody can be asked. */
  readonly shorten: Shorten | undefined;
}

const maxMs = 18_000;
/** Its place is given back before the next session wants one. */
const marginSeconds = 2;
/** Asked sooner, much would be said after it. */
const windowSeconds = 90;
/** A session that has just begun has other things to do. */
const settledSeconds = 10;
/** There is no need to look with every block of the microphone. */
const lookEveryMs = 1000;
/** After so many in a row without an answer this server is left alone for the rest of the talk. */
const maxFailures = 3;
/** Of the room for the record. */
const share = 1 / 4;

/**
 * Has the older part of the record shortened by the model, once a session and long before it ends: what comes of it is there
 * for the next one, and without it the record is shortened by rule.
 */
export class RecordShortener {
  readonly #deps: Deps;
  #shortened: ShortenedRecord | undefined;
  #callOff: (() => void) | undefined;
  #isAsked = false;
  #failures = 0;
  /** Unknown before the first session has told; only one of the two has a chat. */
  #dialect: DialectName | undefined;
  #lookedAt = -Infinity;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get shortened(): ShortenedRecord | undefined {
    return this.#shortened;
  }

  sessionBegan(dialect: DialectName): void {
    this.#dialect = dialect;
    this.#isAsked = false;
  }

  /** With how long the session may still last, and how long it has. */
  update(secondsLeft: number, livedSeconds: number): void {
    const { clock, turns, shorten } = this.#deps;
    const isAble = this.#dialect === 'unified' && !this.#isAsked && this.#failures < maxFailures;
    if (shorten === undefined || !isAble || !isTime(secondsLeft, livedSeconds)) return;
    const now = clock.now();
    if (now - this.#lookedAt < lookEveryMs) return;
    this.#lookedAt = now;
    const asked = recordToShorten(turns(), this.#shortened, recordTokens);
    if (asked === undefined) return;
    this.#isAsked = true;
    const { shortenSystem: system, shorten: request } = this.#deps.messages;
    this.#callOff = shorten({ system, request: `${request}\n\n${asked.text}`, maxMs }, (answer) => {
      this.#callOff = undefined;
      const text = answer && cleanShortened(answer, asked, recordTokens * share);
      this.#failures = text ? 0 : this.#failures + 1;
      if (text) this.#shortened = { upTo: asked.upTo, text };
    });
  }

  /** The place it takes at the server is needed, or nobody is left who would want it. */
  callOff(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  /** What was said is not gone on with. */
  forget(): void {
    this.callOff();
    this.#shortened = undefined;
  }
}

/** There is time for an answer before a moment is looked for in which the next session takes over. */
function isTime(secondsLeft: number, livedSeconds: number): boolean {
  const due = Math.min(dueSeconds, (secondsLeft + livedSeconds) / 2);
  const soonest = due + windowSeconds;
  const latest = due + maxMs / 1000 + marginSeconds;
  return livedSeconds >= settledSeconds && secondsLeft <= soonest && secondsLeft >= latest;
}
