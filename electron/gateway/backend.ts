import type { Socket, SocketListener } from '../../shared/ports/sockets.ts';

/** A model server (`llama-omni-server` or the PyTorch backend) that runs one session at a time. */
export interface Backend {
  /** Shown in logs, status and metrics: the address without secrets. */
  readonly name: string;
  readonly serves: 'both' | 'chat' | 'duplex';
  /** Opens the WebSocket at `/backend`. */
  readonly connect: (listener: SocketListener) => Socket;
  /** Ends a session by `POST /sessions/{id}/close`. Resolves to false if the server did not do it in time. */
  readonly closeSession: (sessionId: string, reason: string) => Promise<boolean>;
  /** Asks `GET /health`. */
  readonly isHealthy: () => Promise<boolean>;
}
