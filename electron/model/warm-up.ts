import { type Clock, settlesWithin } from '../../shared/ports/clock.ts';
import type { Socket, SocketEnd } from '../../shared/ports/sockets.ts';
import { inputRate, normalClosure } from '../../shared/protocol/realtime-api.ts';
import type { BackendCodec, BackendInit, Backend } from '../gateway/backend.ts';
import { pacedSteps, quickStepMs } from './model-pace.ts';

export type WarmUp =
  | { readonly kind: 'warm'; readonly stepMs: readonly number[] }
  /** The server has no `/backend`. */
  | { readonly kind: 'old' }
  | { readonly kind: 'failed' };

export interface WarmUpDeps {
  readonly clock: Clock;
  readonly codec: BackendCodec;
  readonly voice: Float32Array;
  /** Called when the server sends anything, so it has not hung. */
  readonly onReceived: () => void;
  readonly steps?: number;
  /** Stops measuring at the first quick step. */
  readonly stopsWhenQuick?: boolean;
  /** A JPEG in each step. */
  readonly picture?: Uint8Array | undefined;
}

/** Limit on waiting for a step. Some builds do not answer silent steps, which then count as this long. */
const maxStepMs = 1500;
const notFound = 404;
const maxCloseMs = 2000;
/** Limit on a load for chats. A load that prints nothing to the log is ended earlier. */
const maxLoadMs = 600_000;

/**
 * Loads the model with a session of silence, so that the first talk starts at once, and measures the session's steps.
 */
export async function warmUp(backend: Backend, deps: WarmUpDeps): Promise<WarmUp> {
  const session = new WarmUpSession(backend, deps);
  const result = await session.result;
  const { sessionId } = session;
  if (sessionId !== undefined) {
    const closed = backend.closeSession(sessionId, 'warmed').catch(() => false);
    await settlesWithin(deps.clock, maxCloseMs, closed);
  }
  session.end();
  return result;
}

/** Loads the model for chats, without measuring steps. */
export async function loadForChat(
  backend: Backend,
  { clock, codec, voice }: Pick<WarmUpDeps, 'clock' | 'codec' | 'voice'>,
): Promise<WarmUp> {
  const deps = { clock, codec, voice, maxMs: maxLoadMs };
  const end = await loadByModeSession(backend, 'turn_based', deps);
  return end === 'loaded' ? { kind: 'warm', stepMs: [] } : { kind: 'failed' };
}

class WarmUpSession {
  readonly #deps: WarmUpDeps;
  readonly #socket: Socket;
  readonly result: Promise<WarmUp>;
  sessionId: string | undefined;
  #resolve: (result: WarmUp) => void = () => undefined;
  #hasEnded = false;
  #answered: () => void = () => undefined;

  constructor(backend: Backend, deps: WarmUpDeps) {
    this.#deps = deps;
    this.result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#socket = backend.connect({
      opened: () => this.#begin(),
      received: (text) => this.#receive(text),
      ended: (end) => this.#ended(end),
    });
  }

  end(): void {
    this.#socket.terminate();
  }

  #begin(): void {
    const { codec, voice } = this.#deps;
    this.#socket.send(codec.encodeInit({ mode: 'full_duplex', settings: {}, defaultVoice: voice }));
  }

  #receive(text: string | undefined): void {
    this.#deps.onReceived();
    const event = this.#deps.codec.decode(text ?? '');
    if (event.kind === 'created') {
      this.sessionId = event.sessionId;
      void this.#measure();
    } else if (event.kind === 'closed') {
      this.#fail('failed');
    } else {
      this.#answered();
    }
  }

  #ended(end: SocketEnd): void {
    const isOld = end.kind === 'refused' && end.status === notFound;
    this.#fail(isOld ? 'old' : 'failed');
  }

  #fail(kind: 'old' | 'failed'): void {
    this.#hasEnded = true;
    this.#resolve({ kind });
    this.#answered();
  }

  async #measure(): Promise<void> {
    const { clock, codec, steps = pacedSteps, stopsWhenQuick, picture } = this.#deps;
    const frames = picture && [picture];
    const append = codec.encodeAppend({
      kind: 'append',
      audio: new Float32Array(inputRate),
      frames,
    });
    const stepMs: number[] = [];
    while (stepMs.length < steps) {
      const begunAt = clock.now();
      const answered = new Promise<void>((resolve) => {
        this.#answered = resolve;
      });
      this.#socket.send(append);
      await settlesWithin(clock, maxStepMs, answered);
      if (this.#hasEnded) return;
      const elapsedMs = clock.now() - begunAt;
      stepMs.push(elapsedMs);
      if (elapsedMs <= quickStepMs && stopsWhenQuick === true) break;
    }
    this.#resolve({ kind: 'warm', stepMs });
  }
}

export interface ModeSessionDeps {
  readonly clock: Clock;
  readonly codec: BackendCodec;
  /** The reference voice, 16 kHz mono. */
  readonly voice: Float32Array;
  readonly maxMs: number;
}

/** `busy`: the server still has another session. */
type ModeSessionEnd = 'loaded' | 'busy' | 'failed';

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
