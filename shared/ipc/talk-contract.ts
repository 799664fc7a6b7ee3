import type { AppError } from '../errors/app-error.ts';
import type { TalkStep } from '../talk/talk-latency.ts';
import type { DuplexMode } from '../protocol/dialect-and-mode.ts';
import type { CaptionPatch } from '../talk/caption-patch.ts';
import type { Floor, TalkControls, PushToTalkMode } from '../talk/talk-controls.ts';
import type { TalkDeviceStates } from '../talk/talk-device-states.ts';
import type { TalkLimits, TalkWarning } from '../talk/talk-limits.ts';
import type { OnlyListeningNote } from '../talk/only-listening.ts';
import type { TalkState } from '../talk/talk-state.ts';
import type { TalkInfo, TalkLevel, TalkView } from '../talk/talk-view.ts';
import type { OpenCapture } from '../vision/vision-options.ts';
import type { Nothing } from './reply.ts';

/** What a page may ask of a spoken conversation. What cannot be done is refused with a sentence. */
export interface TalkRequests {
  readonly talk: { readonly input: Nothing; readonly value: TalkView };
  readonly startTalk: { readonly input: { readonly mode: DuplexMode }; readonly value: TalkInfo };
  /** Ends politely; it can go on after that. */
  readonly endTalk: { readonly input: Nothing; readonly value: Nothing };
  readonly continueTalk: {
    readonly input: { readonly carry: 'transcript' | 'nothing' };
    readonly value: Nothing;
  };
  readonly interruptTalk: { readonly input: Nothing; readonly value: Nothing };
  /**
   * The one talk key; `lost` where nobody knows whether it came up. `toggle` is for what has no up and
   * down: on until it comes again.
   */
  readonly talkKey: {
    readonly input: { readonly key: 'press' | 'release' | 'toggle' | 'lost' };
    readonly value: Nothing;
  };
  readonly setTalking: {
    readonly input: { readonly mode: PushToTalkMode };
    readonly value: Nothing;
  };
  readonly setMuted: { readonly input: { readonly muted: boolean }; readonly value: Nothing };
  readonly setCoughMuted: { readonly input: { readonly muted: boolean }; readonly value: Nothing };
  /** The page has noticed that there is a network again. */
  readonly networkBack: { readonly input: Nothing; readonly value: Nothing };
  readonly setPaused: { readonly input: { readonly paused: boolean }; readonly value: Nothing };
}

/** What is posted of a spoken conversation: each when it says something new. */
export interface TalkNotices {
  /** Another talk began. */
  readonly talkBegan: TalkInfo;
  readonly talkState: TalkState;
  readonly talkControls: TalkControls;
  readonly floor: Floor;
  readonly caption: CaptionPatch;
  readonly talkLimits: TalkLimits;
  readonly talkWarning: TalkWarning;
  /** The server hears the person, and never answers; once a talk. */
  readonly talkOnlyListens: OnlyListeningNote;
  readonly talkDevices: TalkDeviceStates;
  /** A camera or a screen was opened or closed in some page. */
  readonly talkCapture: OpenCapture;
  readonly talkTrouble: AppError;
  /** 20 times a second for each voice, while a microphone is open or an answer is heard. */
  readonly level: TalkLevel;
  /** With every step of the model. */
  readonly talkStep: TalkStep;
}
