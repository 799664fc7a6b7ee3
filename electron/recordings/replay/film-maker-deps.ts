import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { NoticeName, Notices } from '../../../shared/ipc/contract.ts';
import type { Clock, Random } from '../../../shared/ports/clock.ts';
import type { Sockets } from '../../../shared/ports/sockets.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { ReplayedNotice } from '../../../shared/recordings/replay-scene.ts';
import type { OwnPhrase } from '../../../shared/talk/own-words.ts';
import type { TalkInfo } from '../../../shared/talk/talk-view.ts';
import type { ConversationEvent } from '../../talk/conversation-event.ts';
import type { SessionEvent } from '../../talk/session/session-event.ts';
import type { Session, SessionOptions } from '../../talk/session/session.ts';

/** No socket and no device among them: a film is made of what stands on its tape. */
export interface FilmMakerDeps {
  readonly codec: Pick<ServerCodec, 'decodeClientEvent'>;
  readonly openSession: (
    options: SessionOptions,
    deps: {
      readonly sockets: Sockets;
      readonly clock: Clock;
      readonly random: Random;
      readonly emit: (event: SessionEvent) => void;
    },
  ) => Session;
  readonly openPublisher: OpenFilmPublisher;
  readonly carryOver: CoreMessages['carryOver'];
  /** The person's own words where they are known, by when they were said on the tape. */
  readonly ownPhrases?: readonly OwnPhrase[] | undefined;
  /** Told what came of which turn. */
  readonly answered?: ((answer: TapedAnswer) => void) | undefined;
}

/** Something of a turn, as it came on a line of its tape. */
export interface TapedAnswer {
  /** Counted from 0. */
  readonly line: number;
  readonly turn: number;
  readonly samples: number;
}

/** What makes a talk's notices of its conversation's events. */
export interface FilmPublisher {
  readonly publishBegan: (talk: TalkInfo) => void;
  readonly publish: (event: ConversationEvent) => void;
}

type OpenFilmPublisher = (
  post: <Name extends NoticeName>(name: Name, payload: Notices[Name]) => void,
) => FilmPublisher;

/** The notice as a film holds it; nothing where it does not. */
export function keptNotice(
  at: number,
  { name, payload }: { readonly name: NoticeName; readonly payload: unknown },
): ReplayedNotice | undefined {
  return keptNames.has(name) ? ({ at, name, payload } as ReplayedNotice) : undefined;
}

const keptNames: ReadonlySet<NoticeName> = new Set<NoticeName>([
  'talkBegan',
  'talkState',
  'talkControls',
  'floor',
  'caption',
  'talkLimits',
  'talkWarning',
  'talkDevices',
  'talkTrouble',
]);
