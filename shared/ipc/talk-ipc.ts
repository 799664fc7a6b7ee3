import { z } from 'zod';
import type { AppError } from '../errors/app-error.ts';
import type { CaptionPatch } from '../talk/caption-patch.ts';
import type { GlobalKeyTestResult, GlobalKeyView } from '../talk/global-key.ts';
import type { OwnPhrase, OwnWordsStatus } from '../talk/own-words.ts';
import type {
  Floor,
  TalkControls,
  TalkDeviceStates,
  TalkLimits,
  TalkState,
  TalkWarning,
} from '../talk/talk-state.ts';
import type { OnlyListeningNote, TalkStep } from '../talk/talk-stats.ts';
import type { TalkInfo, TalkLevel, TalkView } from '../talk/talk-view.ts';
import type { OpenCapture } from '../vision/vision-options.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

/** What a page may ask of a spoken conversation. What cannot be done is refused with a sentence. */
export const talkRequests = {
  talk: request(noInput)
    .answers<TalkView>()
    .changedBy(
      'talkBegan',
      'talkState',
      'talkControls',
      'talkDevices',
      'talkLimits',
      'floor',
      'caption',
      'talkKeeping',
      'talkCapture',
      'ownPhrase',
      'ownWordsStatus',
    ),
  startTalk: request(z.strictObject({ mode: z.enum(['audio', 'video']) })).answers<TalkInfo>(),
  /** Ends politely; it can go on after that. */
  endTalk: request(noInput),
  continueTalk: request(z.strictObject({ carry: z.enum(['transcript', 'nothing']) })),
  interruptTalk: request(noInput),
  /**
   * The one talk key; `lost` where nobody knows whether it came up. `toggle` is for what has no up and
   * down: on until it comes again.
   */
  talkKey: request(z.strictObject({ key: z.enum(['press', 'release', 'toggle', 'lost']) })),
  setTalking: request(z.strictObject({ mode: z.enum(['open', 'hold', 'tap', 'holdOrTap']) })),
  setMuted: request(z.strictObject({ muted: z.boolean() })),
  setCoughMuted: request(z.strictObject({ muted: z.boolean() })),
  /** The page has noticed that there is a network again. */
  networkBack: request(noInput),
  setPaused: request(z.strictObject({ paused: z.boolean() })),
};

export type TalkHandlers = HandlersOf<typeof talkRequests>;

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

/** The id of a talk, which names its folder. */
const talk = z.string().min(1).max(255);

/** What a page may ask of the person's own words, which are written down from their sound. */
export const ownWordsRequests = {
  /**
   * Puts words right, by when they were said: of the talk with this id, or of the one that is shown. No words at all take
   * them out.
   */
  correctOwnWords: request(
    z.strictObject({
      talk: talk.optional(),
      at: z.number().min(0).max(1e9),
      text: z.string().max(10_000),
    }),
  ),
  /** Of a talk that is over: from its tape, by its own server. What comes of it stands in its record by and by. */
  writeTapeWords: request(z.strictObject({ talk })),
  /** Of the talk that is shown: what could not be written down is tried once more. */
  writeOwnWordsAgain: request(noInput),
};

export type OwnWordsHandlers = HandlersOf<typeof ownWordsRequests>;

export interface OwnWordsNotices {
  /** One is new, or has changed. */
  readonly ownPhrase: OwnPhrase;
  readonly ownWordsStatus: OwnWordsStatus;
}

/** What a page may ask of the key that works in every program; which one it is, is a setting. */
export const globalKeyRequests = {
  globalKey: request(noInput).answers<GlobalKeyView>().changedBy('globalKeyChanged'),
  /** Waits ten seconds for the key to be pressed. */
  testGlobalKey: request(noInput).answers<GlobalKeyTestResult>(),
  /** Begins anew, after it was given up. */
  retryGlobalKey: request(noInput),
};

export type GlobalKeyHandlers = HandlersOf<typeof globalKeyRequests>;

export interface GlobalKeyNotices {
  /** With each change of its state, and each time it is heard. */
  readonly globalKeyChanged: GlobalKeyView;
}
