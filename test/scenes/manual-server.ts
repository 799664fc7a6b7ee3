import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import { scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';

const codec = createServerCodec(bufferBase64);

type Step = Extract<ServerEvent, { kind: 'output' }>;

/**
 * A legacy server that accepts every client and answers each append with the next scripted event, or with `listen` if
 * there is none.
 */
export class ManualServer {
  readonly #steps: Step[] = [];
  #server: ScriptedServer | undefined;

  async open(): Promise<string> {
    this.#server = await scriptedServer({
      accepted: (socket) => {
        this.#send({ kind: 'admitted' });
        socket.once('message', () => {
          this.#send({ kind: 'created' });
          socket.on('message', () => {
            this.#send(this.#steps.shift() ?? { kind: 'listen', wire: 'legacy' });
          });
        });
      },
    });
    return `ws://127.0.0.1:${this.#server.port}`;
  }

  says(text: string | undefined, audio: Float32Array | undefined, endOfTurn: boolean): void {
    this.#steps.push({ kind: 'output', wire: 'legacy', text: text ?? '', audio, endOfTurn });
  }

  get hasSaid(): boolean {
    return this.#steps.length === 0;
  }

  ends(reason: string): void {
    this.#send({ kind: 'closed', reason });
    this.#server?.sockets.at(-1)?.close(1000);
  }

  async end(): Promise<void> {
    await this.#server?.end();
  }

  #send(event: ServerEvent): void {
    const socket = this.#server?.sockets.at(-1);
    if (event.kind === 'unknown' || event.kind === 'malformed') return;
    for (const frame of codec.encodeServerEvent(event, 'legacy')) socket?.send(frame);
  }
}
