import type { AppError } from '../errors/app-error.ts';
import type { DuplexMode } from '../protocol/realtime-api.ts';
import type { TalkNotices } from '../ipc/talk-ipc.ts';
import {
  patchCaption,
  withPhrase,
  type CaptionedTurn,
  type CaptionPatch,
  type UserPhrase,
  type TalkWarning,
  idleTalkView,
  type TalkView,
} from '../talk/talk-view.ts';

export const replayExamples = ['voice', 'video', 'reconnect'] as const;

export type ReplayExample = (typeof replayExamples)[number];

/** Sources a page may open; paths are not allowed. */
export type ReplaySource =
  /** Folder name of a stored tape. */
  | { readonly kind: 'tape'; readonly tape: string }
  | { readonly kind: 'example'; readonly example: ReplayExample };

/** Where the open tape came from, including files the user dropped or named in a command. */
export type ReplayOrigin = ReplaySource | { readonly kind: 'file'; readonly name: string };

export interface ReplayFacts {
  readonly mode: DuplexMode;
  /**
   * Scheme, host, port and path of an address. For a built-in server, its id; `builtInServer` also knows older names.
   */
  readonly endpoint: string;
  /** ISO 8601; may be empty. */
  readonly recordedAt: string;
  /** Title of the talk, if its text is stored. */
  readonly title?: string | undefined;
  /** The tape ends before the talk did. */
  readonly cut: boolean;
  /** Why the end of the talk is missing. */
  readonly damage?: AppError | undefined;
}

/** Whether a replay is audible, and if not, why. */
export type ReplaySound =
  | 'heard'
  /** Too fast to understand speech. */
  | 'tooFast'
  /** No output device, so the clock drives the cursor. */
  | 'noDevice';

/** Speeds up to `fastestHeard` have sound, at the original pitch. */
export const replaySpeeds = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8] as const;
export const fastestHeard = 4;

export type ReplaySpeedStep = (typeof replaySpeeds)[number];

export interface ReplayPlay {
  readonly at: number;
  readonly playing: boolean;
  readonly speed: ReplaySpeedStep;
  readonly sound: ReplaySound;
}

export interface OpenReplay {
  readonly kind: 'open';
  readonly origin: ReplayOrigin;
  readonly facts: ReplayFacts;
  readonly timeline: TapeTimeline;
  readonly play: ReplayPlay;
  /** The view of the talk at `play.at`. */
  readonly scene: ReplayScene;
}

/** The app has one replay at a time. */
export type ReplayView =
  | { readonly kind: 'none' }
  | { readonly kind: 'opening'; readonly origin: ReplayOrigin }
  /** A tape failed to open. If a page opened it, only that page has this state. */
  | { readonly kind: 'failed'; readonly origin: ReplayOrigin; readonly error: AppError }
  | OpenReplay;

export const replayStops = ['any', 'turn', 'interruption', 'picture', 'trouble'] as const;
export type ReplayStop = (typeof replayStops)[number];

/** A tape's timeline, in milliseconds since the tape began. */
export interface TapeTimeline {
  readonly lengthMs: number;
  /** Rendered up to here; later marks and turns are estimates. */
  readonly readyMs: number;
  readonly turns: readonly TapeTurn[];
  readonly marks: readonly TapeMark[];
  readonly ribbon: TapeLevels;
}

/** One answer, as it was heard. */
export interface TapeTurn {
  readonly turn: number;
  readonly from: number;
  readonly to: number;
  readonly cut: boolean;
}

export const tapeMarkKinds = [
  'interruption',
  'picture',
  'reconnect',
  'device',
  'trouble',
  'ending',
] as const;

/** Kinds of marks on the timeline. */
export type TapeMarkKind = (typeof tapeMarkKinds)[number];

export interface TapeMark {
  readonly at: number;
  readonly kind: TapeMarkKind;
  /** For troubles, lost devices, endings, and reconnects that are not estimated. */
  readonly error?: AppError | undefined;
  readonly picture?: number | undefined;
}

/** Level of both voices: one byte per point, from 0 (−60 dBFS and below) to 255 (full scale). */
export interface TapeLevels {
  readonly everyMs: number;
  readonly you: Uint8Array;
  readonly parley: Uint8Array;
}

/** State of the talk view at one moment. */
export interface ReplayScene {
  readonly talk: TalkView;
  /** Times of the latest notices of the talk's state and of its limits; countdowns start there. */
  readonly stateAt: number;
  readonly limitsAt: number;
  readonly warning: TalkWarning | undefined;
  /** The newest errors, oldest first. */
  readonly troubles: readonly AppError[];
  /** Number of the picture last sent to the model. */
  readonly picture: number | undefined;
}

export const emptyScene: ReplayScene = {
  talk: idleTalkView,
  stateAt: 0,
  limitsAt: 0,
  warning: undefined,
  troubles: [],
  picture: undefined,
};

const maxTroubles = 3;

/** Applies a notice. Scenes are immutable, so earlier ones can be kept. */
export function sceneAfter(scene: ReplayScene, { at, name, payload }: ReplayedNotice): ReplayScene {
  const { talk } = scene;
  switch (name) {
    case 'talkBegan':
      // Posted for a new talk, and again, with `session`, for each session that the server creates for it.
      return payload.session === undefined
        ? { ...emptyScene, talk: { ...idleTalkView, controls: talk.controls, talk: payload } }
        : { ...scene, talk: { ...talk, talk: payload } };
    case 'talkState':
      return {
        ...scene,
        talk: { ...talk, state: payload },
        stateAt: at,
        warning: payload.phase === 'live' ? undefined : scene.warning,
      };
    case 'talkControls':
      return { ...scene, talk: { ...talk, controls: payload } };
    case 'floor':
      return { ...scene, talk: { ...talk, floor: payload } };
    case 'caption':
      return { ...scene, talk: { ...talk, captions: patchedCaptions(talk.captions, payload) } };
    case 'talkLimits':
      return { ...scene, talk: { ...talk, limits: payload }, limitsAt: at };
    case 'talkDevices':
      return { ...scene, talk: { ...talk, devices: payload } };
    case 'talkWarning':
      return { ...scene, warning: payload };
    case 'talkTrouble':
      return { ...scene, troubles: [...scene.troubles, payload].slice(-maxTroubles) };
    case 'userPhrase':
      return { ...scene, talk: withUserPhrase(talk, payload) };
    case 'picture':
      return { ...scene, picture: payload };
  }
}

/** Places the phrase after the newest turn of the scene, because a talk's text does not record which turn it followed. */
function withUserPhrase(talk: TalkView, phrase: UserPhrase): TalkView {
  const after = talk.captions.at(-1)?.turn;
  const phrases = withPhrase(talk.userTranscript.phrases, { ...phrase, after });
  return { ...talk, userTranscript: { ...talk.userTranscript, phrases } };
}

/** Searches from the end, because the last turn usually changes. */
function patchedCaptions(
  captions: readonly CaptionedTurn[],
  patch: CaptionPatch,
): readonly CaptionedTurn[] {
  const at = captions.findLastIndex(({ turn }) => turn === patch.turn);
  const patched = patchCaption(captions[at], patch);
  return at === -1 ? [...captions, patched] : captions.with(at, patched);
}

/**
 * Talk notices that a rendered tape keeps. The list lacks `level`, which the timeline's ribbon shows, and notices that
 * matter only while a talk runs.
 */
export const replayedNoticeNames = [
  'talkBegan',
  'talkState',
  'talkControls',
  'floor',
  'caption',
  'talkLimits',
  'talkWarning',
  'talkDevices',
  'talkTrouble',
] as const satisfies readonly (keyof TalkNotices)[];

type ReplayedNoticeName = (typeof replayedNoticeNames)[number];

/** A notice of the talk, with its time in milliseconds since the tape began. */
export type ReplayedNotice = { readonly at: number } & (
  | {
      readonly [Name in ReplayedNoticeName]: {
        readonly name: Name;
        readonly payload: TalkNotices[Name];
      };
    }[ReplayedNoticeName]
  /** The user's words from the talk's text. In the talk itself Parley knew them later, because they had to be transcribed first. */
  | { readonly name: 'userPhrase'; readonly payload: UserPhrase }
  /** A picture went to the model; pages request its bytes by number. */
  | { readonly name: 'picture'; readonly payload: number }
);
