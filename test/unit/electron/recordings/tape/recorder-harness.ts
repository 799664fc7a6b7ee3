import type { Socket, SocketListener, Sockets } from '../../../../../shared/ports/sockets.ts';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import {
  openTapeRecorder,
  type TapeRecorderDeps,
} from '../../../../../electron/recordings/record/tape-files-recorder.ts';
import { recordSockets } from '../../../../../electron/recordings/record/tape-recorder.ts';
import type { Tape, TapeHeader } from '../../../../../electron/recordings/tape/tape.ts';
import { englishErrorMessage } from '../../../../../shared/i18n/en/errors.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { readTape } from '../../../../fixtures/replay-tape.ts';

export const header: TapeHeader = {
  format: 'parley-tape',
  version: 1,
  mode: 'audio',
  dialect: 'auto',
  chunkMs: 1000,
  settings: { instructions: 'Be brief.' },
  endpoint: 'wss://host.example/v1/realtime',
  recordedAt: '2026-01-02T03:04:05.000Z',
};

export const wireSound = (...samples: readonly number[]) =>
  bufferBase64.encode(new Uint8Array(Float32Array.from(samples).buffer));

/** A recorder on fake files, with fake sockets that it records. */
export async function createRecorderHarness(
  given: Partial<TapeHeader> = {},
  more: Partial<TapeRecorderDeps> = {},
) {
  const files = new FakeFiles();
  const clock = new FakeClock();
  const sockets = new PlayedSockets();
  const problems: string[] = [];
  const opened = await openTapeRecorder(
    '/tape',
    { ...header, ...given },
    {
      files,
      clock,
      base64: bufferBase64,
      onError: (error) => problems.push(englishErrorMessage(error)),
      ...more,
    },
  );
  if (!opened.ok) throw new Error(opened.error.code);
  const recorder = opened.value;
  const heard: string[] = [];
  const listener: SocketListener = {
    opened: () => heard.push('opened'),
    received: (text) => heard.push(text ?? 'binary'),
    ended: (end) => heard.push(`ended ${end.kind}`),
  };
  const recorded = recordSockets(sockets, recorder);
  return {
    files,
    clock,
    problems,
    recorder,
    heard,
    connect: () => {
      const socket = recorded.connect('audio', listener);
      const connection = sockets.connections.at(-1);
      if (connection === undefined) throw new Error('no connection was opened');
      return { socket, connection, server: connection.listener };
    },
    lines: () => files.text('/tape/tape.ndjson').trimEnd().split('\n'),
    read: () => readTape('/tape', { files, base64: bufferBase64 }),
  };
}

/** The tape of a successful read. */
export function requireTape(outcome: Awaited<ReturnType<typeof readTape>>): Tape {
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

interface PlayedConnection {
  readonly mode: string;
  readonly listener: SocketListener;
  readonly sent: string[];
  readonly closed: string[];
}

/** Sockets whose server side the test plays. */
class PlayedSockets implements Sockets {
  readonly connections: PlayedConnection[] = [];

  readonly connect = (mode: string, listener: SocketListener): Socket => {
    const connection: PlayedConnection = { mode, listener, sent: [], closed: [] };
    this.connections.push(connection);
    return {
      send: (text) => {
        listener.sending?.(text);
        connection.sent.push(text);
      },
      close: (code, reason) => connection.closed.push(`${code} ${reason}`),
      terminate: () => connection.closed.push('terminated'),
    };
  };
}
