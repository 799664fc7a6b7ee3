import { createServer } from 'node:net';
import { ProxyConnections } from './small-proxy.ts';
import type { ProxyScript, SmallProxy } from './small-proxy.ts';

const anybody = 0;
const byPassword = 2;
const nobody = 0xff;

/** A real SOCKS 5 proxy on loopback (RFC 1928 and 1929). */
export async function socksProxy(
  script: Pick<ProxyScript, 'login' | 'refuses'> = {},
): Promise<SmallProxy> {
  const connections = new ProxyConnections();
  const server = createServer((socket) => {
    connections.track(socket);
    const next = (): Promise<Buffer> =>
      new Promise((resolve) => {
        socket.once('data', resolve);
      });
    void (async () => {
      const greeting = await next();
      const methods = greeting.subarray(2, 2 + (greeting[1] ?? 0));
      const method = script.login === undefined ? anybody : byPassword;
      socket.write(Buffer.from([5, methods.includes(method) ? method : nobody]));
      if (method === byPassword) {
        const right = isRight(await next(), script);
        socket.write(Buffer.from([1, right ? 0 : 1]));
        if (!right) return;
      }
      const request = await next();
      const length = request[4] ?? 0;
      const name = request.subarray(5, 5 + length).toString();
      const port = request.readUInt16BE(5 + length);
      // Type 3 is a name; other types are an address that the client has resolved.
      connections.targets.push(request[3] === 3 ? `${name}:${port}` : `an address:${port}`);
      const reply = (status: number): void => {
        socket.write(Buffer.from([5, status, 0, 1, 127, 0, 0, 1, 0, 0]));
      };
      if (script.refuses === undefined)
        connections.tunnel(socket, port, (isOpen) => {
          reply(isOpen ? 0 : 5);
        });
      else reply(script.refuses);
    })();
  });
  return connections.serve(server);
}

function isRight(sent: Buffer, { login }: ProxyScript): boolean {
  const name = sent.subarray(2, 2 + (sent[1] ?? 0));
  const password = sent.subarray(3 + name.length);
  return name.toString() === login?.name && password.toString() === login.password;
}
