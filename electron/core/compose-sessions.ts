import type { AppError } from '../../shared/errors/app-error.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import type { ServerCodec } from '../../shared/protocol/codec.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { bufferBase64 } from '../adapters/system/buffer-base64.ts';
import { openWavWriter } from '../recording/wav-writer.ts';
import type {
  Conversation,
  ConversationDeps,
  ConversationOptions,
} from '../conversation/conversation.ts';
import { openConversation } from '../conversation/open-conversation.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { DialectMemory } from '../ports/dialect-memory.ts';
import type { Files } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Sockets } from '../ports/sockets.ts';
import { openTapeRecorder } from '../recording/tape-recorder.ts';
import { readTape } from '../recording/read-tape.ts';
import type { TapeRecorder } from '../recording/recorder.ts';
import type { Tape, TapeHeader } from '../recording/tape.ts';
import { openSession } from '../session/open-session.ts';
import type { SessionEvent } from '../session/session-event.ts';
import type { Session, SessionOptions } from '../session/session.ts';

/** What is chosen by the person; the rest of a tape's header is known here. */
export type TapeDetails = Omit<TapeHeader, 'format' | 'version' | 'recordedAt'>;

/** Sessions, and the tapes of them. */
export interface SessionServices {
  readonly openSession: (options: SessionOptions, how: OpenSessionDeps) => Session;
  /** A spoken conversation, which opens its sessions by itself. */
  readonly openConversation: (
    options: ConversationOptions,
    how: OpenConversationDeps,
  ) => Conversation;
  /** Begins a tape in a new or empty folder; `onError` is told when it cannot be kept. */
  readonly openTape: (
    folder: string,
    facts: TapeDetails,
    onError: (error: AppError) => void,
  ) => Promise<Outcome<TapeRecorder>>;
  readonly readTape: (folder: string) => Promise<Outcome<Tape>>;
  /** For those who play a server's part. */
  readonly serverCodec: ServerCodec;
}

export interface OpenSessionDeps {
  readonly sockets: Sockets;
  /** The machine's own, where it is left out. */
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly emit: (event: SessionEvent) => void;
  /** The server's address, by which its dialect is remembered. */
  readonly server?: string | undefined;
}

export type OpenConversationDeps = Omit<OpenSessionDeps, 'emit'> &
  Pick<ConversationDeps, 'speaker' | 'played' | 'cue' | 'microphoneLatencyMs' | 'log' | 'emit'>;

interface Deps {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly dialects: DialectMemory;
}

export function composeSessions({ clock, random, files, dialects }: Deps): SessionServices {
  const codec = createClientCodec(bufferBase64);
  const open: SessionServices['openSession'] = (options, { server, ...deps }) =>
    openSession(
      {
        ...options,
        rememberedDialect: server === undefined ? undefined : dialects.recall(server),
      },
      {
        sockets: deps.sockets,
        clock: deps.clock ?? clock,
        random: deps.random ?? random,
        codec,
        emit: deps.emit,
        rememberDialect: (dialect) => {
          if (server !== undefined) dialects.remember(server, dialect);
        },
      },
    );
  return {
    openSession: open,
    openConversation: (options, deps) =>
      openConversation(options, {
        ...deps,
        clock: deps.clock ?? clock,
        random: deps.random ?? random,
        // A virtual clock knows no calendar.
        wallNow: deps.clock === undefined ? () => Date.now() : undefined,
        openSession: (how, emit) => open(how, { ...deps, emit }),
      }),
    openTape: (folder, facts, onError) => {
      const recordedAt = new Date().toISOString();
      const header: TapeHeader = { format: 'parley-tape', version: 1, ...facts, recordedAt };
      const base64 = bufferBase64;
      return openTapeRecorder(folder, header, {
        files,
        clock,
        base64,
        openSound: openWavWriter,
        onError,
      });
    },
    readTape: (folder) => readTape(folder, { files, base64: bufferBase64 }),
    serverCodec: createServerCodec(bufferBase64),
  };
}
