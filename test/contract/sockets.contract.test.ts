import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { inProcessSockets } from '../../electron/gateway/in-process-sockets.ts';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import type { Endpoint } from '../../shared/settings/endpoint.ts';
import { deferred } from '../fakes/promises.ts';
import { eventually } from '../fakes/promises.ts';
import { RecordingListener, type Script, scriptedServer } from '../fakes/scripted-server.ts';
import { selfSigned } from '../fakes/self-signed.ts';

let served: Served | undefined;

afterEach(async () => {
  await served?.end();
  served = undefined;
});

/** The other end of a connection. */
interface Peer {
  readonly send: (frame: string | Uint8Array<ArrayBuffer>) => void;
  readonly close: (code: number, reason: string) => void;
  readonly cut: () => void;
}

interface PeerScript {
  readonly accepted?: (peer: Peer) => void;
  readonly heard?: (peer: Peer, text: string) => void;
  readonly left?: () => void;
  readonly refused?: { readonly status: number; readonly body: string };
}

/** A server and how to reach it. */
interface Served {
  readonly sockets: Sockets;
  readonly modes: () => readonly (string | undefined)[];
  readonly end: () => Promise<void>;
}

const networkSockets = [
  { name: 'a WebSocket', tls: undefined },
  { name: 'a WebSocket over TLS', tls: selfSigned() },
];

const socketKinds = [
  ...networkSockets.map(({ name, tls }) => ({
    name,
    serve: (script: PeerScript) => overNetwork(networkScript(script), tls),
  })),
  {
    name: 'the gateway in process',
    serve: (script: PeerScript) => Promise.resolve(inProcess(script)),
  },
];

/** The script of a WebSocket server that acts as the peer. */
function networkScript(script: PeerScript): Script {
  const { refused } = script;
  return {
    ...(refused && {
      upgrade: (line) => {
        const head = `HTTP/1.1 ${refused.status} No\r\nconnection: close\r\n`;
        line.end(`${head}content-length: ${refused.body.length}\r\n\r\n${refused.body}`);
      },
    }),
    accepted: (socket) => {
      const peer: Peer = {
        send: (frame) => {
          socket.send(frame);
        },
        close: (code, reason) => {
          socket.close(code, reason);
        },
        cut: () => {
          socket.terminate();
        },
      };
      socket.on('message', (data: Buffer) => script.heard?.(peer, data.toString()));
      socket.on('close', () => script.left?.());
      script.accepted?.(peer);
    },
  };
}

async function overNetwork(
  script: Script,
  tls: ReturnType<typeof selfSigned> | undefined,
): Promise<Served> {
  const server = await scriptedServer({ ...script, tls });
  const url = `${tls ? 'wss' : 'ws'}://localhost:${server.port}/v1/realtime`;
  const endpoint: Endpoint = { url, headers: {}, query: {}, insecure: false };
  return {
    sockets: createWebSockets({ ...endpoint, fingerprint: tls?.fingerprint }),
    modes: () =>
      server.requests.map(({ url: address }) => /[?&]mode=(\w+)/.exec(address ?? '')?.[1]),
    end: server.end,
  };
}

function inProcess(script: PeerScript): Served {
  const modes: (string | undefined)[] = [];
  const gateway: Parameters<typeof inProcessSockets>[0] = {
    admit: (mode) => {
      modes.push(mode);
      return script.refused
        ? { accepted: false, ...script.refused }
        : { accepted: true, session: 1 };
    },
    connect: (_mode, line) => {
      const peer: Peer = {
        send: (frame) => {
          if (typeof frame === 'string') line.send(frame);
          else line.sendBinary(frame);
        },
        close: line.close,
        cut: line.terminate,
      };
      script.accepted?.(peer);
      return {
        receive: (text) => script.heard?.(peer, text ?? ''),
        disconnected: () => script.left?.(),
      };
    },
    end: () => Promise.resolve(),
  };
  return {
    sockets: inProcessSockets(gateway, systemClock),
    modes: () => modes,
    end: () => Promise.resolve(),
  };
}

describe.each(socketKinds)('$name', ({ serve }) => {
  async function connect(script: PeerScript = {}) {
    served = await serve(script);
    const listener = new RecordingListener();
    const socket = served.sockets.connect('audio', listener);
    return { listener, socket, served };
  }

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
    // The listener learns of a text before the peer receives it.
    expect([listener.outgoing, heard]).toEqual([['one', 'zwei ✓ 你好'], []]);
    await listener.reached(3);
    expect(listener.log).toEqual(['<opened>', 'echo one', 'echo zwei ✓ 你好']);
    expect(heard).toEqual(['one', 'zwei ✓ 你好']);
  });

  it('requests the mode of the session in the URL', async () => {
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
      expect(listener.log).toEqual([]);
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

describe.each(networkSockets)('$name, on the network', ({ tls }) => {
  async function connect(script: Script) {
    const opened = await overNetwork(script, tls);
    served = opened;
    const listener = new RecordingListener();
    opened.sockets.connect('audio', listener);
    return { listener };
  }

  it.each([
    ['reports the status and the beginning of a long refusal', 403, '', 'x'.repeat(5000)],
    ['follows no redirect', 302, 'location: ws://127.0.0.1:1/\r\n', ''],
  ])('%s', async (_promise, status, header, body) => {
    const { listener } = await connect({
      upgrade: (line) => {
        const head = `HTTP/1.1 ${status} No\r\nconnection: close\r\n${header}`;
        line.end(`${head}content-length: ${body.length}\r\n\r\n${body}`);
      },
    });
    expect(await listener.end()).toEqual({ kind: 'refused', status, body: body.slice(0, 2048) });
  });

  it('closes the connection after a refusal, although the server would keep it open', async () => {
    const { promise: closed, resolve } = deferred();
    const { listener } = await connect({
      upgrade: (line) => {
        line.on('end', resolve).resume();
        line.write('HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\nno');
      },
    });
    expect(await listener.end()).toEqual({ kind: 'refused', status: 404, body: 'no' });
    await closed;
  });

  it('answers pings', async () => {
    const { promise, resolve } = deferred();
    const { listener } = await connect({
      accepted: (peer) => {
        peer.on('pong', resolve);
        peer.ping();
      },
    });
    await promise;
    expect(listener.log).toEqual(['<opened>']);
  });
});
