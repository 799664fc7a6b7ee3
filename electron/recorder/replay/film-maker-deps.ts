import type { OwnPhrase } from '../../../shared/talk/own-words.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { Sockets } from '../../ports/sockets.ts';
import type { Session, SessionOptions } from '../../session/session.ts';
import type { SessionEvent } from '../../session/session-event.ts';
import type { OpenFilmPublisher } from './kept-notice.ts';

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
