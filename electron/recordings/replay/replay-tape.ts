import { appError } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { SocketEnd, SocketListener, Sockets } from '../../../shared/ports/sockets.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { Tape, TapeLine } from '../tape/tape.ts';
import { createReplayClient, type ReplayTarget } from './tape-lines.ts';

export interface ReplayDeps {
  readonly clock: Clock;
  readonly codec: Pick<ServerCodec, 'decodeClientEvent'>;
  /** The tape comes to a connection that nobody has opened yet; it waits for it, but not for ever. */
  readonly waiting?: (() => void) | undefined;
  /** What the wire does not show. */
  readonly happened?: ((event: JsonObject) => void) | undefined;
  /** Connections that the tape never ends stay open when all was played, and else are cut. */
  readonly leaveOpen?: boolean | undefined;
}

/**
 * A tape as a server and a person: give the sockets to a session, then begin with it as the target, and so
 * with each session that follows.
 */
export interface Replay {
  readonly sockets: Sockets;
  readonly begin: (target: ReplayTarget) => void;
  /** There are connections on it that no session has opened yet. */
  readonly hasMoreConnections: () => boolean;
  /** How many of its lines have been played. */
  readonly played: () => number;
  /** Settles when everything has been played, or nobody came to hear it. */
  readonly done: Promise<void>;
}

/** How long the tape waits for a connection that the session does not open this time. */
const patience = 30_000;

/**
 * Plays both sides of a tape in the order of its lines, each at its time. When the session connects
 * later than it did on the tape, all that follows is as much later.
 */
export function createReplay(
  { header, lines, frame }: Pick<Tape, 'header' | 'lines' | 'frame'>,
  { clock, codec, waiting, happened, leaveOpen = false }: ReplayDeps,
): Replay {
  let finish: (() => void) | undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let next = 0;
  let shift = 0;
  let play: ((line: TapeLine) => void) | undefined;
  let awaited: { readonly connection: number; readonly giveUp: () => void } | undefined;

  const ids = createReplayIds(lines);
  const connections: ReplayConnections = createReplayConnections({
    connections: lines.reduce((most, line) => Math.max(most, line.connection ?? 1), 0),
    clock,
    onSent: ids.sent,
    onConnect: (connection) => {
      if (awaited?.connection !== connection) return;
      awaited.giveUp();
      awaited = undefined;
      shift = Math.max(shift, clock.now() - (lines[next]?.at ?? 0));
      // Not at once: a session does not expect to be called while it connects.
      clock.after(0, step);
    },
  });

  const stop = (): void => {
    if (!leaveOpen) connections.endAll();
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
      awaited = { connection, giveUp: clock.after(patience, stop) };
      waiting?.();
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
      play = player(frame, connections, ids, playOurs, happened);
      if (!first) return;
      shift = clock.now();
      schedule();
    },
    hasMoreConnections: connections.hasMore,
    played: () => next,
    done,
  };
}

function player(
  whole: Tape['frame'],
  connections: ReplayConnections,
  ids: ReplayIds,
  playOurs: ReturnType<typeof createReplayClient>,
  happened: ReplayDeps['happened'],
): (line: TapeLine) => void {
  return (line) => {
    const connection = line.connection ?? 1;
    if (line.dir === 'open') connections.open(connection);
    else if (line.dir === 'event') happened?.(line.event);
    else if (line.dir === 'end') connections.end(connection, readEnd(line.end));
    else if (line.dir === 'out') {
      if ('frame' in line) playOurs(whole(line.frame));
    } else
      connections.receive(
        connection,
        'frame' in line ? JSON.stringify(ids.answer(whole(line.frame))) : line.text,
      );
  };
}

/** The server's side of a replay: connections that say what the tape has. */
interface ReplayConnections {
  readonly sockets: Sockets;
  readonly hasConnection: (connection: number) => boolean;
  /** The tape holds more of them than have been opened. */
  readonly hasMore: () => boolean;
  readonly open: (connection: number) => void;
  readonly receive: (connection: number, text: string | undefined) => void;
  readonly end: (connection: number, end: SocketEnd) => void;
  /** Ends whatever is still open: there is nothing more to play. */
  readonly endAll: () => void;
}

const cutOff: SocketEnd = { kind: 'closed', code: 1006, reason: '' };

export interface ReplayConnectionsDeps {
  /** How many the tape holds. */
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
          // The tape itself says when the other side agreed.
          close: () => undefined,
          terminate: () => {
            clock.after(0, () => {
              end(connection, cutOff);
            });
          },
        };
      },
    },
    hasConnection: (connection) => connection <= count,
    hasMore: () => count < connections,
    open: (connection) => {
      listeners.get(connection)?.opened();
    },
    receive: (connection, text) => {
      listeners.get(connection)?.received(text);
    },
    end,
    endAll: () => {
      for (const connection of listeners.keys()) end(connection, cutOff);
    },
  };
}

/** The end of a connection as the tape has it. */
function readEnd(end: JsonObject): SocketEnd {
  const { kind, status, body, problem, lasting, code, reason } = end;
  if (kind === 'refused' && typeof status === 'number') {
    return { kind, status, body: textOr(body, '') };
  }
  if (kind === 'unreachable') {
    const error =
      typeof problem === 'string'
        ? appError('recordedFailure', { problem })
        : appError('unreachable');
    const unreachable = { kind, error } as const;
    return lasting === true ? { ...unreachable, lasting } : unreachable;
  }
  if (kind === 'closed' && typeof code === 'number') {
    return { kind, code, reason: textOr(reason, '') };
  }
  return cutOff;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** The ids of inputs, which a session makes anew each time and servers echo. */
interface ReplayIds {
  readonly sent: (text: string) => void;
  /** What the server said, with the ids that this session gave to the same inputs. */
  readonly answer: (frame: JsonObject) => JsonObject;
}

/** The first input of the tape is the first of the replay, and so on. */
function createReplayIds(lines: readonly TapeLine[]): ReplayIds {
  const taped = new Map<string, number>();
  for (const line of lines) {
    const id = line.dir === 'out' && 'frame' in line ? idOf(line.frame) : undefined;
    if (id !== undefined) taped.set(id, taped.size);
  }
  const played: string[] = [];
  return {
    sent: (text) => {
      const id = idOf(parseJsonObject(text) ?? {});
      if (id !== undefined) played.push(id);
    },
    answer: (frame) => {
      const { input_id: id } = frame;
      const now = typeof id === 'string' ? played[taped.get(id) ?? -1] : undefined;
      return now === undefined ? frame : { ...frame, input_id: now };
    },
  };
}

function idOf(frame: JsonObject): string | undefined {
  const { input } = frame;
  const id = frame['input_id'] ?? (isJsonObject(input) ? input['input_id'] : undefined);
  return typeof id === 'string' ? id : undefined;
}
