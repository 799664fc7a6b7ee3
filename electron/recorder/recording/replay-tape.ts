import type { JsonObject } from '../../../shared/protocol/json.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Sockets } from '../../ports/sockets.ts';
import { createReplayClient } from './replay-client.ts';
import type { ReplayTarget } from './replay-client.ts';
import { createReplayConnections, readEnd } from './replay-connections.ts';
import type { ReplayConnections } from './replay-connections.ts';
import { createReplayIds } from './replay-ids.ts';
import type { ReplayIds } from './replay-ids.ts';
import type { Tape, TapeLine } from './tape.ts';

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
