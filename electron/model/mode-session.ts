import { type Clock, settlesWithin } from '../../shared/ports/clock.ts';
import type { Socket } from '../../shared/ports/sockets.ts';
import { normalClosure } from '../../shared/protocol/realtime-api.ts';
import type { BackendCodec, BackendInit } from '../gateway/backend-codec.ts';
import type { Backend } from '../gateway/backend.ts';

export interface ModeSessionDeps {
  readonly clock: Clock;
  readonly codec: BackendCodec;
  /** The reference voice, 16 kHz mono. */
  readonly voice: Float32Array;
  /** Limit on the load. */
  readonly maxMs: number;
}

/** `busy`: the server still has another session. */
type ModeSessionEnd = 'loaded' | 'busy' | 'failed';

const maxCloseMs = 2000;

/**
 * Opens a session of this mode and ends it once it is created, so that the server loads the model. Without this, the
 * first real session would load it, and clients give up on a session after a minute.
 */
export async function loadByModeSession(
  backend: Backend,
  mode: BackendInit['mode'],
  { clock, codec, voice, maxMs }: ModeSessionDeps,
): Promise<ModeSessionEnd> {
  let sessionId: string | undefined;
  let socket: Socket | undefined;
  const settled = new Promise<ModeSessionEnd>((resolve) => {
    const opened = backend.connect({
      opened: () => opened.send(codec.encodeInit({ mode, settings: {}, defaultVoice: voice })),
      received: (text) => {
        const event = codec.decode(text ?? '');
        if (event.kind === 'created') {
          sessionId = event.sessionId;
          resolve('loaded');
        } else if (event.kind === 'closed') resolve('failed');
      },
      ended: (end) =>
        resolve(end.kind === 'closed' && end.code === normalClosure ? 'busy' : 'failed'),
    });
    socket = opened;
  });
  const isInTime = await settlesWithin(clock, maxMs, settled);
  if (sessionId !== undefined) {
    const closed = backend.closeSession(sessionId, 'mode_changed').catch(() => false);
    await settlesWithin(clock, maxCloseMs, closed);
  }
  socket?.terminate();
  return isInTime ? settled : 'failed';
}
