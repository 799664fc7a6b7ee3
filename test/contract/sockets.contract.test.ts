import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import type { Endpoint } from '../../shared/settings/endpoint.ts';
import { eventually } from '../fakes/eventually.ts';
import { RecordingListener } from '../fakes/recording-listener.ts';
import { type Script, scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';
import { selfSigned } from '../fakes/self-signed.ts';
import { kindsOfSockets, type Peer, type PeerScript, type Served } from './sockets-kinds.ts';

const plain: Endpoint = { url: '', headers: {}, query: {}, insecure: false };
const certificate = selfSigned();

let server: ScriptedServer | undefined;
let served: Served | undefined;

afterEach(async () => {
  await server?.end();
  await served?.end();
  [server, served] = [undefined, undefined];
});

const kinds: readonly {
  readonly name: string;
  readonly serve: (script: Script) => Promise<{ server: ScriptedServer; sockets: Sockets }>;
}[] = [
  {
    name: 'a WebSocket',
    serve: async (script) => {
      const server = await scriptedServer(script);
      const url = `ws://127.0.0.1:${server.port}/v1/realtime`;
      return { server, sockets: createWebSockets({ ...plain, url }) };
    },
  },
  {
    name: 'a WebSocket over TLS',
    serve: async (script) => {
      const server = await scriptedServer({ ...script, tls: certificate });
      const url = `wss://localhost:${server.port}/v1/realtime`;
      const { fingerprint } = certificate;
      return { server, sockets: createWebSockets({ ...plain, url, fingerprint }) };
    },
  },
];

describe.each(kindsOfSockets)('$name', ({ serve }) => {
  async function connect(script: PeerScript = {}) {
    served = await serve(script);
    const listener = new RecordingListener();
    const socket = served.sockets.connect('audio', listener);
    return { listener, socket, served };
  }

  it('reports nothing before `connect` returns', async () => {
    const { listener, socket } = await connect();
    socket.terminate();
    expect(listener.log).toEqual([]);
    await listener.end();
  });

  it('announces an outgoing message before the peer receives it', async () => {
    const { listener, socket } = await connect({ heard: (peer, text) => peer.send(text) });
    await listener.reached(1);
    socket.send('one');
    socket.send('two');
    expect(listener.outgoing).toEqual(['one', 'two']);
    await listener.reached(3);
    socket.terminate();
    await listener.end();
  });

  it('opens, and carries text both ways in order', async () => {
    const heard: string[] = [];
    const { listener, socket } = await connect({
      heard: (peer, text) => {
        heard.push(text);
        peer.send(`echo ${text}`);
      },
    });
    await listener.reached(1);
    socket.send('one');
    socket.send('zwei ✓ 你好');
    await listener.reached(3);
    expect(listener.log).toEqual(['<opened>', 'echo one', 'echo zwei ✓ 你好']);
    expect(heard).toEqual(['one', 'zwei ✓ 你好']);
  });

  it('asks the server for the mode of the session', async () => {
    const {
      listener,
      served: { modes },
    } = await connect();
    await listener.reached(1);
    expect(modes()).toEqual(['audio']);
  });

  it('passes a binary frame as undefined', async () => {
    const { listener } = await connect({
      accepted: (peer) => {
        peer.send(new Uint8Array([1, 2, 3]));
        peer.send('text');
      },
    });
    await listener.reached(3);
    expect(listener.log).toEqual(['<opened>', undefined, 'text']);
  });

  it('reports the code and reason of a close', async () => {
    const { listener } = await connect({
      accepted: (peer) => {
        peer.send('last words');
        peer.close(1013, 'busy');
      },
    });
    await listener.end();
    expect(listener.log).toEqual([
      '<opened>',
      'last words',
      { end: { kind: 'closed', code: 1013, reason: 'busy' } },
    ]);
  });

  it('closes with a handshake that the peer sees', async () => {
    let left = 0;
    const { listener, socket } = await connect({ left: () => (left += 1) });
    await listener.reached(1);
    socket.close(1000, 'done');
    expect(await listener.end()).toEqual({ kind: 'closed', code: 1000, reason: 'done' });
    await eventually(() => {
      expect(left).toBe(1);
    });
  });

  it('reports a cut connection', async () => {
    const { listener } = await connect({
      accepted: (peer) => {
        peer.cut();
      },
    });
    expect(await listener.end()).toEqual({ kind: 'closed', code: 1006, reason: '' });
  });

  it('cuts the connection at once, and is silent afterwards', async () => {
    let peer: Peer | undefined;
    let left = 0;
    const { listener, socket } = await connect({
      accepted: (other) => {
        peer = other;
        other.send('before');
      },
      left: () => (left += 1),
    });
    await listener.reached(2);
    peer?.send('after');
    socket.terminate();
    await listener.end();
    expect(listener.log.slice(2)).toEqual([{ end: { kind: 'closed', code: 1006, reason: '' } }]);
    socket.terminate();
    socket.close(1000, '');
    socket.send('too late');
    await eventually(() => {
      expect(left).toBe(1);
    });
    await wait(20);
    expect(listener.log).toHaveLength(3);
  });

  it.each(['terminate', 'close'] as const)(
    'gives up a pending connection on %s',
    async (method) => {
      const { listener, socket } = await connect();
      if (method === 'close') socket.close(1000, '');
      else socket.terminate();
      expect(await listener.end()).toEqual({
        kind: 'unreachable',
        error: appError('connectionGivenUp'),
      });
      await wait(20);
      expect(listener.log).toHaveLength(1);
    },
  );

  it('reports the status and body of a refusal', async () => {
    const { listener } = await connect({ refused: { status: 403, body: 'no such mode' } });
    expect(await listener.end()).toEqual({ kind: 'refused', status: 403, body: 'no such mode' });
    await wait(20);
    expect(listener.log).toHaveLength(1);
  });
});

describe.each(kinds)('$name, on the network', ({ serve }) => {
  async function connect(accepted?: (socket: WebSocket) => void, upgrade?: Script['upgrade']) {
    const served = await serve({ accepted, upgrade });
    ({ server } = served);
    const listener = new RecordingListener();
    const socket = served.sockets.connect('audio', listener);
    return { listener, socket, server: served.server };
  }

  it.each(['terminate', 'close'] as const)(
    'gives up a pending connection on %s',
    async (method) => {
      const { listener, socket } = await connect(undefined, () => undefined);
      if (method === 'close') socket.close(1000, '');
      else socket.terminate();
      expect(await listener.end()).toEqual({
        kind: 'unreachable',
        error: appError('connectionGivenUp'),
      });
      await wait(20);
      expect(listener.log).toHaveLength(1);
    },
  );

  it('reports the status and body of a refusal', async () => {
    const body = `no such mode ${'x'.repeat(5000)}`;
    const { listener } = await connect(undefined, (line) => {
      line.end(
        `HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    });
    const end = await listener.end();
    expect(end).toEqual({ kind: 'refused', status: 403, body: body.slice(0, 2048) });
    expect(listener.log).toHaveLength(1);
  });

  it('follows no redirect', async () => {
    const { listener } = await connect(undefined, (line) => {
      line.end(
        'HTTP/1.1 302 Found\r\nlocation: ws://127.0.0.1:1/\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
      );
    });
    expect(await listener.end()).toEqual({ kind: 'refused', status: 302, body: '' });
  });

  it('answers pings', async () => {
    let pong: (() => void) | undefined;
    const ponged = new Promise<void>((resolve) => {
      pong = resolve;
    });
    const { listener } = await connect((peer) => {
      peer.on('pong', () => pong?.());
      peer.ping();
    });
    await ponged;
    expect(listener.log).toEqual(['<opened>']);
  });

  it('accepts a message of several megabytes, compressed if the server wants it', async () => {
    const large = JSON.stringify({ text: 'ab'.repeat(1_600_000) });
    const { listener, server } = await connect((peer) => {
      peer.send(large);
    });
    await listener.reached(2);
    expect(listener.log[1] === large).toBe(true);
    expect(server.sockets[0]?.extensions).toContain('permessage-deflate');
  });
});
