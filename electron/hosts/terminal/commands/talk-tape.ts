import type { AppError } from '../../../../shared/errors/app-error.ts';
import { displayAddress } from '../../../../shared/endpoint.ts';
import type { SessionSettings } from '../../../../shared/protocol/client-event.ts';
import type { Mode } from '../../../../shared/protocol/dialect-and-mode.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { RecordTalk } from '../../../conversation/conversation.ts';
import type { TapeRecorder } from '../../../recorder/recording/tape-recorder.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';

interface Taped {
  readonly tape: string | undefined;
  readonly mode: Mode;
  readonly connection: Pick<ConnectionOptions, 'dialect' | 'endpoint'>;
  readonly chunkMs: number;
}

/** Begins the tape that a command was asked to make; nothing where it was not. */
export async function openTalkTape(
  parley: Pick<Parley, 'openTape'>,
  { tape, mode, connection, chunkMs }: Taped,
  settings: SessionSettings,
  onError: (error: AppError) => void,
): Promise<TapeRecorder | undefined> {
  if (tape === undefined) return undefined;
  const { voice: _voice, ...kept } = settings;
  const header = {
    mode,
    dialect: connection.dialect,
    chunkMs,
    settings: kept,
    endpoint:
      connection.endpoint === undefined ? 'embedded' : displayAddress(connection.endpoint.url),
  };
  return unwrapOrExit(await parley.openTape(tape, header, onError));
}

export function recordOn(tape: TapeRecorder): Omit<RecordTalk, 'devices'> {
  return {
    write: (event) => {
      tape.happened(event);
    },
    answered: (turn, samples) => {
      tape.answered(turn, samples);
    },
    sounded: (who, samples) => {
      tape.sounded(who, samples);
    },
  };
}
