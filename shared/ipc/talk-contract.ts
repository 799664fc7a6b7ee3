import type { AppError } from '../errors/app-error.ts';
import type { DuplexMode } from '../protocol/realtime-api.ts';
import type { CaptionPatch } from '../talk/caption-patch.ts';
import type { GlobalKeyTestResult, GlobalKeyView } from '../talk/global-key.ts';
import type { OwnPhrase, OwnWordsStatus } from '../talk/own-words.ts';
import type {
  Floor,
  PushToTalkMode,
  TalkControls,
  TalkDeviceStates,
  TalkLimits,
  TalkState,
  TalkWarning,
} from '../talk/talk-state.ts';
import type { OnlyListeningNote, TalkStep } from '../talk/talk-stats.ts';
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

/** What a page may ask of the person's own words, which are written down from their sound. */
export interface OwnWordsRequests {
  /**
   * Puts words right, by when they were said: of the talk with this id, or of the one that is shown. No words at all take
   * them out.
   */
  readonly correctOwnWords: {
    readonly input: {
      readonly talk?: string | undefined;
      readonly at: number;
      readonly text: string;
    };
    readonly value: Nothing;
  };
  /** Of a talk that is over: from its tape, by its own server. What comes of it stands in its record by and by. */
  readonly writeTapeWords: { readonly input: { readonly talk: string }; readonly value: Nothing };
  /** Of the talk that is shown: what could not be written down is tried once more. */
  readonly writeOwnWordsAgain: { readonly input: Nothing; readonly value: Nothing };
}

export interface OwnWordsNotices {
  /** One is new, or has changed. */
  readonly ownPhrase: OwnPhrase;
  readonly ownWordsStatus: OwnWordsStatus;
}

/** What a page may ask of the key that works in every program; which one it is, is a setting. */
export interface GlobalKeyRequests {
  readonly globalKey: { readonly input: Nothing; readonly value: GlobalKeyView };
  /** Waits ten seconds for the key to be pressed. */
  readonly testGlobalKey: { readonly input: Nothing; readonly value: GlobalKeyTestResult };
  /** Begins anew, after it was given up. */
  readonly retryGlobalKey: { readonly input: Nothing; readonly value: Nothing };
}

export interface GlobalKeyNotices {
  /** With each change of its state, and each time it is heard. */
  readonly globalKeyChanged: GlobalKeyView;
}
