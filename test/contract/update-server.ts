import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A loopback update server that a test controls. */
export class UpdateServer {
  readonly files = new Map<string, Buffer>();
  /** Answers by file name, instead of the regular ones. */
  readonly answers = new Map<string, Answer>();
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  readonly #keys = generateKeyPairSync('ed25519');
  readonly #server = createServer((request, response) => {
    const name = (request.url ?? '').replace(/^\/feed\//, '');
    this.requests.push({ url: request.url ?? '', headers: request.headers });
    const answer = this.answers.get(name);
    const file = this.files.get(name);
    if (answer !== undefined) answer(request, response);
    else if (file === undefined) response.writeHead(404).end();
    else sendRanged(file, request, response);
  });

  get key(): KeyObject {
    return this.#keys.publicKey;
  }

  get url(): URL {
    const { port } = this.#server.address() as AddressInfo;
    return new URL(`http://127.0.0.1:${port}/feed/`);
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Publishes a signed feed. */
  putFeed(text: string, key: KeyObject = this.#keys.privateKey): void {
    this.files.set('latest-linux.yml', Buffer.from(text));
    const signature = sign(null, Buffer.from(text), key).toString('base64');
    this.files.set('latest-linux.yml.sig', Buffer.from(`${signature}\n`));
  }
}

/** Supports ranges like web servers. */
function sendRanged(file: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from >= file.length && from > 0) {
    response.writeHead(416).end();
    return;
  }
  const rest = file.subarray(from);
  const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': rest.length,
    ...(from > 0 && range),
  });
  response.end(rest);
}
