import type { ChatTurn, SessionSettings } from '../../shared/protocol/client-ask.ts';
import type { DialectName, Mode } from '../../shared/protocol/names.ts';
import type { Ending } from './endings.ts';
import type { Yielding } from './session.ts';

export type SessionState = Connecting | Queued | Configuring | Live | Closing | Closed;

export type Question = Omit<ChatTurn, 'kind' | 'inputId'>;

/** What goes along from the first attempt to connect to the end. */
export interface Course {
  readonly mode: Mode;
  readonly settings: SessionSettings;
  /** The dialect is given and never left. */
  readonly forced: boolean;
  /** The dialect that is spoken, or tried next. */
  readonly dialect: DialectName;
  /** How often the session was configured, in whichever dialect. */
  readonly configures: number;
  readonly refusals: readonly Refusal[];
  /** How often a worker could not be handed over. */
  readonly handovers: number;
  readonly idPrefix: string;
  readonly paused: boolean;
  readonly yielding: Yielding;
  readonly questions: readonly Question[];
  readonly frame?: Uint8Array | undefined;
  readonly maxSlices?: number | undefined;
  readonly lastError?: ToldError | undefined;
}

/** A dialect that did not lead to a session, and how the session ends if no other does. */
export interface Refusal {
  readonly dialect: DialectName;
  /** The server said nothing, so it may only have been slow. */
  readonly silent: boolean;
  readonly ending: Ending;
}

export interface ToldError {
  readonly at: number;
  readonly code: string;
  readonly message: string;
}

export interface Connecting {
  readonly phase: 'connecting';
  readonly course: Course;
  /** `waiting` has no line: it comes before another try; `opened` has one, on which nobody spoke yet. */
  readonly stage: 'opening' | 'opened' | 'waiting' | 'impossible';
}

export interface Queued {
  readonly phase: 'queued';
  readonly course: Course;
}

export interface Configuring {
  readonly phase: 'configuring';
  readonly course: Course;
  readonly since: number;
}

export interface Live {
  readonly phase: 'live';
  readonly course: Course;
  readonly talk: DuplexTalk | ChatTalk;
}

export interface Closing {
  readonly phase: 'closing';
  readonly stage: 'goodbye' | 'hangingUp';
  readonly ending: Ending;
}

export interface Closed {
  readonly phase: 'closed';
}

export interface DuplexTalk {
  readonly kind: 'duplex';
  /** The timer runs that ends a session whose server owes an answer and says nothing. */
  readonly watched: boolean;
  readonly uplink: Uplink;
  readonly step: Step | undefined;
  readonly turns: Turns;
}

export interface Uplink {
  /** Appends sent so far; the next one's id is made of it. */
  readonly count: number;
  /** Oldest first. */
  readonly unanswered: readonly Sent[];
  /** Chunks that the cap holds back, oldest first. */
  readonly waiting: readonly Chunk[];
  /** The server has named one of our ids. */
  readonly echoes: boolean;
  readonly answeredAt: number;
}

/** A piece of the microphone, and when its last sample came. */
export interface Chunk {
  readonly audio: Float32Array;
  readonly at: number;
}

export interface Sent {
  readonly inputId: string;
  readonly at: number;
  readonly forced: boolean;
}

/** What the model's newest step has brought so far. */
export interface Step {
  readonly inputId: string | undefined;
  readonly at: number;
  readonly text: boolean;
  readonly audio: boolean;
  readonly listened: boolean;
  /** Whether its append forced the model to listen; unknown where no append is left to answer. */
  readonly forced: boolean | undefined;
}

export interface Turns {
  readonly turn: number;
  /** Something of this turn has come, and its end has not. */
  readonly open: boolean;
  /** This server has closed a turn with a listen in the step of its last sound. */
  readonly closesInStep: boolean;
  /** From `interrupt` until the model listens: what it says meanwhile is not wanted. */
  readonly interrupting: boolean;
  readonly interruptedAt: number | undefined;
  /** When the first of this turn came. */
  readonly openedAt: number | undefined;
  /** When a chunk in which somebody speaks was last heard. */
  readonly voicedAt: number | undefined;
}

export interface ChatTalk {
  readonly kind: 'chat';
  readonly count: number;
  readonly turn: number;
  /** The turn that is being answered. */
  readonly answer: Answer | undefined;
}

export interface Answer {
  readonly inputId: string;
  readonly text: string;
  readonly sounded: boolean;
}
