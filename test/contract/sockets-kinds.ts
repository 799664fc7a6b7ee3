import { inProcessSockets } from '../../electron/gateway/in-process-sockets.ts';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import type { Endpoint } from '../../shared/settings/endpoint.ts';
import { scriptedServer } from '../fakes/scripted-server.ts';
import { selfSigned } from '../fakes/self-signed.ts';

/** The other end of a connection. */
export interface Peer {
  readonly send: (frame: string | Uint8Array<ArrayBuffer>) => void;
  readonly close: (code: number, reason: string) => void;
  readonly cut: () => void;
}

export interface PeerScript {
  readonly accepted?: (peer: Peer) => void;
  readonly heard?: (peer: Peer, text: string) => void;
  readonly left?: () => void;
  readonly refused?: { readonly status: number; readonly body: string };
}

export interface Served {
  readonly sockets: Sockets;
  readonly modes: () => readonly (string | undefined)[];
  readonly end: () => Promise<void>;
}

export const kindsOfSockets: readonly {
  readonly name: string;
  readonly serve: (script: PeerScript) => Promise<Served>;
}[] = [
  { name: 'a WebSocket', serve: (script) => overNetwork(script) },
  { name: 'a WebSocket over TLS', serve: (script) => overNetwork(script, selfSigned()) },
  { name: 'the gateway in process', serve: (script) => Promise.resolve(inProcess(script)) },
];

async function overNetwork(
  script: PeerScript,
  tls?: ReturnType<typeof selfSigned>,
): Promise<Served> {
  const { refused } = script;
  const server = await scriptedServer({
    tls,
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
  });
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
