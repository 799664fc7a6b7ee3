import type { FilmTimeline } from '../replay/film-timeline.ts';
import type { ReplayScene } from '../replay/replay-scene.ts';
import type { ReplayedNotice } from '../replay/replayed-notice.ts';
import type {
  ReplayPlay,
  ReplaySource,
  ReplaySpeedStep,
  ReplayStop,
  ReplayView,
} from '../replay/replay-view.ts';
import type { TalkLevel } from '../talk/talk-view.ts';
import type { WireBatch } from '../wire/wire-frame.ts';
import type { Nothing } from './reply.ts';

/** What a page may ask of the replay of a tape. There is one; a talk that begins pauses it. */
export interface ReplayRequests {
  readonly replay: { readonly input: Nothing; readonly value: ReplayView };
  /** Closes what was open; what comes of it is posted as `replayChanged`. */
  readonly openReplay: { readonly input: ReplaySource; readonly value: Nothing };
  /** From its beginning where it had come to its end. Pauses when its page goes. */
  readonly playReplay: { readonly input: Nothing; readonly value: Nothing };
  readonly pauseReplay: { readonly input: Nothing; readonly value: Nothing };
  readonly setReplaySpeed: {
    readonly input: { readonly speed: ReplaySpeedStep };
    readonly value: Nothing;
  };
  /** Milliseconds since the tape began. */
  readonly seekReplay: { readonly input: { readonly at: number }; readonly value: Nothing };
  /** To the moment at which this letter of a turn's text was heard. */
  readonly seekReplayWord: {
    readonly input: { readonly turn: number; readonly letter: number };
    readonly value: Nothing;
  };
  readonly stepReplay: {
    readonly input: { readonly to: ReplayStop; readonly way: 'next' | 'previous' };
    readonly value: Nothing;
  };
  readonly replayPicture: {
    readonly input: { readonly picture: number };
    readonly value: { readonly jpeg: Uint8Array };
  };
  readonly closeReplay: { readonly input: Nothing; readonly value: Nothing };
}

export interface ReplayNotices {
  /** Another one was opened, or none is any more. */
  readonly replayChanged: ReplayView;
  /** More of the film is made; twice a second at most. */
  readonly replayTimeline: FilmTimeline;
  /** It begins, pauses, is faster or slower, and ten times a second where it is while it plays. */
  readonly replayPlay: ReplayPlay;
  /** The cursor has jumped: all that is to be shown there. */
  readonly replayScene: ReplayScene;
  /** What the page got in the talk, as the cursor passes it. */
  readonly replayed: readonly ReplayedNotice[];
  /** Like `level`, of the voices on the tape. */
  readonly replayLevel: TalkLevel;
  /** For the inspector; `at` counts since the tape began. Only while a page watches the wire. */
  readonly replayWire: WireBatch;
}
