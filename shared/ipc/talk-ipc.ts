import { z } from 'zod';
import { callDecisions } from '../chat/chat-thread.ts';
import type { AppError } from '../errors/app-error.ts';
import type {
  CaptionPatch,
  UserPhrase,
  UserTranscriptStatus,
  ComputerSoundState,
  ToolTask,
  TalkInfo,
  TalkLevel,
  TalkView,
  Floor,
  TalkControls,
  TalkDeviceStates,
  TalkLimits,
  TalkState,
  TalkWarning,
} from '../talk/talk-view.ts';
import type { GlobalKeyTestResult, GlobalKeyView } from '../talk/global-key.ts';
import type { OnlyListeningNote, TalkStep } from '../talk/talk-stats.ts';
import type { OpenCapture } from '../vision/vision-options.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

/** Requests about talks. A refusal is an error with a sentence. */
export const talkRequests = {
  talk: request(noInput)
    .answers<TalkView>()
    .withChangedBy(
      'talkBegan',
      'talkState',
      'talkControls',
      'talkDevices',
      'talkLimits',
      'floor',
      'caption',
      'talkStorage',
      'talkCapture',
      'computerSound',
      'userPhrase',
      'userTranscriptStatus',
      'toolTask',
    ),
  startTalk: request(z.strictObject({ mode: z.enum(['audio', 'video']) })).answers<TalkInfo>(),
  /** Ends the session properly. The talk can be continued. */
  endTalk: request(noInput),
  continueTalk: request(z.strictObject({ carry: z.enum(['transcript', 'nothing']) })),
  interruptTalk: request(noInput),
  /** The talk key. `lost`: the release may have been missed. `toggle` is for inputs that cannot report a release. */
  talkKey: request(z.strictObject({ key: z.enum(['press', 'release', 'toggle', 'lost']) })),
  setTalking: request(z.strictObject({ mode: z.enum(['open', 'hold', 'tap', 'holdOrTap']) })),
  setMuted: request(z.strictObject({ muted: z.boolean() })),
  setCoughMuted: request(z.strictObject({ muted: z.boolean() })),
  /** The page detected that the network is back. */
  networkBack: request(noInput),
  /** Lets the model hear what the computer plays, until the talk ends. */
  hearComputer: request(z.strictObject({ on: z.boolean() })),
  setPaused: request(z.strictObject({ paused: z.boolean() })),
};

export type TalkHandlers = HandlersOf<typeof talkRequests>;

/** Notices about the current talk, posted on each change. */
export interface TalkNotices {
  /** A new talk; posted again with `session` for each session that the server created. */
  readonly talkBegan: TalkInfo;
  readonly talkState: TalkState;
  readonly talkControls: TalkControls;
  readonly floor: Floor;
  readonly caption: CaptionPatch;
  readonly talkLimits: TalkLimits;
  readonly talkWarning: TalkWarning;
  /** The server has received speech for a while and has not answered. At most once a talk. */
  readonly talkOnlyListens: OnlyListeningNote;
  readonly talkDevices: TalkDeviceStates;
  /** A page opened or closed a camera or a screen. */
  readonly talkCapture: OpenCapture;
  readonly computerSound: ComputerSoundState;
  readonly talkTrouble: AppError;
  /** 20 times a second per voice, except in longer silence, while a microphone is open or an answer plays. */
  readonly level: TalkLevel;
  /** Posted on every step of the model. */
  readonly talkStep: TalkStep;
}

/** The id of a talk, which is its folder name. */
const talk = z.string().min(1).max(255);

/** Requests about the transcript of the user's speech. */
export const userTranscriptRequests = {
  /** Corrects the phrase said at `at`, in the given talk or the current one. Empty text removes the phrase. */
  correctUserPhrase: request(
    z.strictObject({
      talk: talk.optional(),
      at: z.number().min(0).max(1e9),
      text: z.string().max(10_000),
    }),
  ),
  /** Transcribes a finished talk from its tape, on its own server. The record fills in gradually. */
  writeTapeWords: request(z.strictObject({ talk })),
  /** Retries failed transcriptions of the current talk. */
  retryTranscription: request(noInput),
};

export type UserTranscriptHandlers = HandlersOf<typeof userTranscriptRequests>;

export interface UserTranscriptNotices {
  /** A phrase is new or has changed. */
  readonly userPhrase: UserPhrase;
  readonly userTranscriptStatus: UserTranscriptStatus;
}

/** Requests about the tasks of a talk. */
export const toolTaskRequests = {
  /** Does what the user said last, or what they wrote, with the tools that are on. */
  askInTalk: request(z.strictObject({ text: z.string().min(1).max(2000).optional() })),
  decideTalkCall: request(
    z.strictObject({ call: z.string().max(100), decision: z.enum(callDecisions) }),
  ),
  stopTask: request(noInput),
};

export type ToolTaskHandlers = HandlersOf<typeof toolTaskRequests>;

export interface ToolTaskNotices {
  /** A task is new or has changed. */
  readonly toolTask: ToolTask;
}

/** Requests about the global key. The settings choose the key. */
export const globalKeyRequests = {
  globalKey: request(noInput).answers<GlobalKeyView>().withChangedBy('globalKeyChanged'),
  /** Waits ten seconds for a key press. */
  testGlobalKey: request(noInput).answers<GlobalKeyTestResult>(),
  /** Listens for the key again, after listening failed. */
  retryGlobalKey: request(noInput),
};

export type GlobalKeyHandlers = HandlersOf<typeof globalKeyRequests>;

export interface GlobalKeyNotices {
  /** Posted on each state change and each event of the talk key. */
  readonly globalKeyChanged: GlobalKeyView;
}
