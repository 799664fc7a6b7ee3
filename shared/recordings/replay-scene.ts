import type { AppError } from '../errors/app-error.ts';
import type { TalkNotices } from '../ipc/talk-ipc.ts';
import { type CaptionedTurn, type CaptionPatch, patchCaption } from '../talk/caption-patch.ts';
import { type UserPhrase, withPhrase } from '../talk/user-transcript.ts';
import type { TalkWarning } from '../talk/talk-state.ts';
import { idleTalkView, type TalkView } from '../talk/talk-view.ts';

/** State of the talk view at one moment. */
export interface ReplayScene {
  readonly talk: TalkView;
  /** Times of the latest state and limits notices; countdowns start there. */
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
      // Posted again once the server has admitted the session.
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
    case 'ownPhrase':
      return { ...scene, talk: withOwnPhrase(talk, payload) };
    case 'picture':
      return { ...scene, picture: payload };
  }
}

/** Places the phrase after the newest turn of the scene, because a talk's text does not record that order. */
function withOwnPhrase(talk: TalkView, phrase: UserPhrase): TalkView {
  const after = talk.captions.at(-1)?.turn;
  const phrases = withPhrase(talk.ownWords.phrases, { ...phrase, after });
  return { ...talk, ownWords: { ...talk.ownWords, phrases } };
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

/** Talk notices that a rendered tape keeps. Levels are in the timeline's ribbon; latency and advice no longer apply. */
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
  /** The user's words from the talk's text. In the talk itself they were known later. */
  | { readonly name: 'ownPhrase'; readonly payload: UserPhrase }
  /** A picture went to the model; pages request its bytes by number. */
  | { readonly name: 'picture'; readonly payload: number }
);
