import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { DialectName, DuplexMode } from '../../../shared/protocol/dialect-and-mode.ts';
import { defaultBargeInOptions } from '../../../shared/sound/barge-in-options.ts';
import type { TapeBeginning } from '../../../shared/replay/tape-event.ts';
import type { ConversationDeps } from '../../conversation/conversation.ts';
import { LiveConversation } from '../../conversation/live-conversation.ts';
import type { TapeHeader } from '../recording/tape.ts';
import { ClockedPlayback } from '../../sound/playback/clocked-playback.ts';
import type { HeardTrack } from './heard-track.ts';
import { TapedPlayback } from './taped-playback.ts';

interface Parts extends Pick<
  ConversationDeps,
  'clock' | 'random' | 'openSession' | 'played' | 'cue' | 'emit'
> {
  readonly dialect: 'auto' | DialectName;
  /** Nothing on tapes that were made before it was written down. */
  readonly began: TapeBeginning | undefined;
  readonly track: HeardTrack;
  readonly carryOver: CoreMessages['carryOver'];
  readonly heard: (turn: number) => void;
}

/** The conversation of a talk, with its tape for speaker and microphone. */
export function openFilmConversation(
  { settings, chunkMs }: TapeHeader,
  mode: DuplexMode,
  { dialect, began, track, carryOver, heard, ...deps }: Parts,
): LiveConversation {
  const audible = began === undefined || began.speaker !== undefined;
  return new LiveConversation(
    {
      mode,
      settings,
      chunkMs,
      dialect,
      // What was let through stands on the tape: nothing is gated again.
      talking: 'open',
      yielding: began?.yielding,
      reconnects: began?.reconnects,
      handsOver: began?.handsOver,
      sessionSeconds: began?.sessionSeconds,
      bargeIn: { ...defaultBargeInOptions, enabled: false },
      carryOver,
    },
    {
      ...deps,
      speaker: undefined,
      microphone: undefined,
      wallNow: undefined,
      log: noLog,
      tape: {
        plays: true,
        heard,
        playback: audible
          ? (options) =>
              track.empty
                ? new ClockedPlayback(options)
                : new TapedPlayback(options, { track, now: deps.clock.now })
          : undefined,
      },
    },
  );
}

const noLog = { write: (): void => undefined };
