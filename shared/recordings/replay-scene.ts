import type { AppError } from '../errors/app-error.ts';
import type { TalkNotices } from '../ipc/talk-ipc.ts';
import { type CaptionedTurn, type CaptionPatch, patchCaption } from '../talk/caption-patch.ts';
import { type OwnPhrase, withPhrase } from '../talk/own-words.ts';
import type { TalkWarning } from '../talk/talk-state.ts';
import { idleTalkView, type TalkView } from '../talk/talk-view.ts';

/** All that a page showed of a talk at one moment of it. */
export interface ReplayScene {
  readonly talk: TalkView;
  /** When the talk came into its state, and when its limits were told last: what is counted down from them. */
  readonly stateAt: number;
  readonly limitsAt: number;
  readonly warning: TalkWarning | undefined;
  /** The newest, oldest first. */
  readonly troubles: readonly AppError[];
  /** The number of the picture that went to the model last. */
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

/** The scene after a notice: what came before it is never changed, so that old scenes can be kept. */
export function sceneAfter(scene: ReplayScene, { at, name, payload }: ReplayedNotice): ReplayScene {
  const { talk } = scene;
  switch (name) {
    case 'talkBegan':
      // Posted once more when the server has admitted the session.
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

/** Stands behind the turn that had begun by then, which no text of a talk says. */
function withOwnPhrase(talk: TalkView, phrase: OwnPhrase): TalkView {
  const after = talk.captions.at(-1)?.turn;
  const phrases = withPhrase(talk.ownWords.phrases, { ...phrase, after });
  return { ...talk, ownWords: { ...talk.ownWords, phrases } };
}

/** Nearly always it is the last turn that changes. */
function patchedCaptions(
  captions: readonly CaptionedTurn[],
  patch: CaptionPatch,
): readonly CaptionedTurn[] {
  const at = captions.findLastIndex(({ turn }) => turn === patch.turn);
  const patched = patchCaption(captions[at], patch);
  return at === -1 ? [...captions, patched] : captions.with(at, patched);
}

/** A talk's notices that a rendered tape holds. Levels stand in its ribbon; delays and advice were those of then. */
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

/** A notice that a page got in the talk, and when: milliseconds since the tape began. */
export type ReplayedNotice = { readonly at: number } & (
  | {
      readonly [Name in ReplayedNoticeName]: {
        readonly name: Name;
        readonly payload: TalkNotices[Name];
      };
    }[ReplayedNoticeName]
  /** The person's own words, as the talk's text has them: they were known later than this. */
  | { readonly name: 'ownPhrase'; readonly payload: OwnPhrase }
  /** A picture has gone to the model; its bytes are asked for by its number. */
  | { readonly name: 'picture'; readonly payload: number }
);
