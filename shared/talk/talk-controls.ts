/**
 * How the talk key works. `open` needs no key; `hold` talks while it is down; `tap` talks from one
 * press to the next; `holdOrTap` is both: a short press stays on until the next one.
 */
export type PushToTalkMode = 'open' | 'hold' | 'tap' | 'holdOrTap';

/** What goes to the server of what the microphone captures. */
export interface TalkControls {
  readonly talking: PushToTalkMode;
  /** What is said now is heard by the model. */
  readonly transmitting: boolean;
  /** A captured block has really gone through since it was let: only then is it shown and sounded as open. */
  readonly passing: boolean;
  /** A tap keeps it open until the next one. */
  readonly latched: boolean;
  readonly muted: boolean;
  readonly coughMuted: boolean;
  readonly paused: boolean;
}

/** Who is heard speaking at the moment. */
export type Floor = 'nobody' | 'you' | 'parley' | 'both';
