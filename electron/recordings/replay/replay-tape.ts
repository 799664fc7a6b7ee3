import { appError } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { SocketEnd, SocketListener, Sockets } from '../../../shared/ports/sockets.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { Tape, TapeLine } from '../tape/tape.ts';
import { type ClientEventDecoder, createReplayClient, type ReplayTarget } from './tape-lines.ts';

export interface ReplayDeps {
  readonly clock: Clock;
  readonly codec: ClientEventDecoder;
  /** The tape has reached a connection that the session has not opened yet. The replay waits for it up to `connectTimeoutMs`. */
  readonly onWaiting?: (() => void) | undefined;
  /** An `event` line: something the wire does not show. */
  readonly onEvent?: ((event: JsonObject) => void) | undefined;
  /** Leaves connections without an `end` line open. If omitted, they are cut when the tape is over. */
  readonly keepsOpen?: boolean | undefined;
}

/**
 * A tape as both server and user. Hand `sockets` to a session and call `begin` with it; call
 * `begin` again for each following session.
 */
export interface Replay {
  readonly sockets: Sockets;
  readonly begin: (target: ReplayTarget) => void;
  /** Whether the tape has connections that no session has opened yet. */
  readonly hasMoreConnections: () => boolean;
  readonly playedLines: () => number;
  /** Resolves when the tape is played, or when a connection timed out. */
  readonly done: Promise<void>;
}

const connectTimeoutMs = 30_000;

/**
 * Plays both sides of a tape in order, each line at its time. If the session connects later than on
 * the tape, everything after is delayed by the same time.
 */
export function createReplay(
  { header, lines, frame }: Pick<Tape, 'header' | 'lines' | 'frame'>,
  { clock, codec, onWaiting, onEvent, keepsOpen = false }: ReplayDeps,
): Replay {
  let finish: (() => void) | undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let next = 0;
  let shift = 0;
  let play: ((line: TapeLine) => void) | undefined;
  let awaited: { readonly connection: number; readonly giveUp: () => void } | undefined;

  const ids = mapInputIds(lines);
  const connections: ReplayConnections = createReplayConnections({
    connections: lines.reduce((max, line) => Math.max(max, line.connection ?? 1), 0),
    clock,
    onSent: ids.noteSent,
    onConnect: (connection) => {
      if (awaited?.connection !== connection) return;
      awaited.giveUp();
      awaited = undefined;
      shift = Math.max(shift, clock.now() - (lines[next]?.at ?? 0));
      // Asynchronous, because a session expects no callbacks during `connect`.
      clock.after(0, step);
    },
  });

  const stop = (): void => {
    if (!keepsOpen) connections.endAll();
    finish?.();
  };

  const schedule = (): void => {
    const line = lines[next];
    if (line === undefined) stop();
    else clock.after(line.at + shift - clock.now(), step);
  };

  const step = (): void => {
    const line = lines[next];
    if (line === undefined) return;
    const connection = line.connection ?? 1;
    if (!connections.hasConnection(connection)) {
      awaited = { connection, giveUp: clock.after(connectTimeoutMs, stop) };
      onWaiting?.();
      return;
    }
    next += 1;
    play?.(line);
    schedule();
  };

  return {
    sockets: connections.sockets,
    begin: (target) => {
      const first = play === undefined;
      const playOurs = createReplayClient(target, codec, header.chunkMs);
      play = createLinePlayer(frame, connections, ids, playOurs, onEvent);
      if (!first) return;
      shift = clock.now();
      schedule();
    },
    hasMoreConnections: connections.hasMore,
    playedLines: () => next,
    done,
  };
}

function createLinePlayer(
  restoreFrame: Tape['frame'],
  connections: ReplayConnections,
  ids: InputIdMap,
  replayFrame: ReturnType<typeof createReplayClient>,
  onEvent: ReplayDeps['onEvent'],
): (line: TapeLine) => void {
  return (line) => {
    const connection = line.connection ?? 1;
    if (line.dir === 'open') connections.open(connection);
    else if (line.dir === 'event') onEvent?.(line.event);
    else if (line.dir === 'end') connections.end(connection, readEnd(line.end));
    else if (line.dir === 'out') {
      if ('frame' in line) replayFrame(restoreFrame(line.frame));
    } else
      connections.receive(
        connection,
        'frame' in line ? JSON.stringify(ids.withReplayIds(restoreFrame(line.frame))) : line.text,
      );
  };
}

/** The server side: connections that deliver what the tape received. */
interface ReplayConnections {
  readonly sockets: Sockets;
  readonly hasConnection: (connection: number) => boolean;
  readonly hasMore: () => boolean;
  readonly open: (connection: number) => void;
  readonly receive: (connection: number, text: string | undefined) => void;
  readonly end: (connection: number, end: SocketEnd) => void;
  readonly endAll: () => void;
}

const abnormalClose: SocketEnd = { kind: 'closed', code: 1006, reason: '' };

export interface ReplayConnectionsDeps {
  readonly connections: number;
  readonly clock: Clock;
  readonly onConnect: (connection: number) => void;
  readonly onSent: (text: string) => void;
}

function createReplayConnections({
  connections,
  clock,
  onConnect,
  onSent,
}: ReplayConnectionsDeps): ReplayConnections {
  const listeners = new Map<number, SocketListener>();
  let count = 0;

  const end = (connection: number, how: SocketEnd): void => {
    const listener = listeners.get(connection);
    if (listeners.delete(connection)) listener?.ended(how);
  };

  return {
    sockets: {
      connect: (_mode, listener) => {
        count += 1;
        const connection = count;
        listeners.set(connection, listener);
        if (connection <= connections) onConnect(connection);
        else {
          clock.after(0, () => {
            end(connection, { kind: 'unreachable', error: appError('tapeEnded') });
          });
        }
        return {
          send: (text) => {
            listener.sending?.(text);
            onSent(text);
          },
          // The tape's `end` line ends the connection, at the time at which the server confirmed.
          close: () => undefined,
          terminate: () => {
            clock.after(0, () => end(connection, abnormalClose));
          },
        };
      },
    },
    hasConnection: (connection) => connection <= count,
    hasMore: () => count < connections,
    open: (connection) => listeners.get(connection)?.opened(),
    receive: (connection, text) => listeners.get(connection)?.received(text),
    end,
    endAll: () => {
      for (const connection of listeners.keys()) end(connection, abnormalClose);
    },
  };
}

function readEnd(end: JsonObject): SocketEnd {
  const { kind, status, body, problem, lasting, code, reason } = end;
  if (kind === 'refused' && typeof status === 'number')
    return { kind, status, body: textOr(body, '') };
  if (kind === 'unreachable') {
    const error =
      typeof problem === 'string'
        ? appError('recordedFailure', { problem })
        : appError('unreachable');
    const unreachable = { kind, error } as const;
    return lasting === true ? { ...unreachable, permanent: lasting } : unreachable;
  }
  if (kind === 'closed' && typeof code === 'number')
    return { kind, code, reason: textOr(reason, '') };
  return abnormalClose;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** Maps input ids, which each session generates and servers echo. */
interface InputIdMap {
  readonly noteSent: (text: string) => void;
  /** Replaces recorded input ids in a server frame with those of this session. */
  readonly withReplayIds: (frame: JsonObject) => JsonObject;
}

/** Pairs the ids by order: the first recorded input is the first replayed one. */
function mapInputIds(lines: readonly TapeLine[]): InputIdMap {
  const taped = new Map<string, number>();
  for (const line of lines) {
    const id = line.dir === 'out' && 'frame' in line ? inputIdOf(line.frame) : undefined;
    if (id !== undefined) taped.set(id, taped.size);
  }
  const played: string[] = [];
  return {
    noteSent: (text) => {
      const id = inputIdOf(parseJsonObject(text) ?? {});
      if (id !== undefined) played.push(id);
    },
    withReplayIds: (frame) => {
      const { input_id: id } = frame;
      const now = typeof id === 'string' ? played[taped.get(id) ?? -1] : undefined;
      return now === undefined ? frame : { ...frame, input_id: now };
    },
  };
}

function inputIdOf(frame: JsonObject): string | undefined {
  const { input } = frame;
  const id = frame['input_id'] ?? (isJsonObject(input) ? input['input_id'] : undefined);
  return typeof id === 'string' ? id : undefined;
}
