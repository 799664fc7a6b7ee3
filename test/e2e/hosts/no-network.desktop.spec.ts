import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { expect, test } from '../fixtures/host-test.ts';

interface LoopbackListener {
  readonly port: number;
  /** Each arrival: its protocol, and the first bytes of a TCP connection. */
  readonly received: readonly string[];
  readonly close: () => void;
}

/** Listens on one port for TCP and UDP, and answers nothing. */
async function openLoopbackListener(): Promise<LoopbackListener> {
  const heard: string[] = [];
  const streams = createServer((socket) => {
    const at = heard.push('TCP') - 1;
    socket.once('data', (data) => (heard[at] = `TCP ${data.toString('latin1').slice(0, 40)}`));
    socket.on('error', () => undefined);
  });
  streams.listen(0, '127.0.0.1');
  await once(streams, 'listening');
  const { port } = streams.address() as AddressInfo;
  const packets = createSocket('udp4').bind(port, '127.0.0.1');
  await once(packets, 'listening');
  packets.on('message', () => heard.push('UDP'));
  return {
    port,
    received: heard,
    close: () => {
      streams.close();
      packets.close();
    },
  };
}

const expected = /Failed to load resource|WebSocket connection|Electron Security Warning/;

/** A compromised page: in our session, and without a content security policy. */
async function openStranger(electron: ElectronApplication): Promise<Page> {
  const opened = electron.waitForEvent('window');
  await electron.evaluate(async ({ BrowserWindow }) => {
    const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true } });
    await window.loadURL('data:text/html,<body>stranger</body>');
  });
  return opened;
}

/** Tries every network API of a page. The answers do not matter, because a request alone leaks data. */
async function tryEveryNetworkApi(at: string): Promise<void> {
  const link = (rel: string, href: string): void => {
    document.head.append(Object.assign(document.createElement('link'), { rel, href }));
  };
  void fetch(`http://${at}/fetch`, { mode: 'no-cors' }).catch(() => undefined);
  navigator.sendBeacon(`http://${at}/beacon`, 'x');
  const sources = [new EventSource(`http://${at}/events`), new WebSocket(`ws://${at}/socket`)];
  new Image().src = `http://${at}/picture`;
  document.body.append(
    Object.assign(document.createElement('iframe'), { src: `http://${at}/frame` }),
  );
  for (const rel of ['preconnect', 'prefetch', 'dns-prefetch', 'stylesheet'])
    link(rel, `http://${at}/${rel}`);
  const turn = { username: 'x', credential: 'x' };
  const peer = new RTCPeerConnection({
    iceServers: [
      { urls: `stun:${at}` },
      { ...turn, urls: `turn:${at}?transport=udp` },
      { ...turn, urls: `turn:${at}?transport=tcp` },
      { ...turn, urls: `turns:${at}?transport=tcp` },
    ],
  });
  peer.createDataChannel('out');
  await peer.setLocalDescription(await peer.createOffer());
  await new Promise((resolve) => setTimeout(resolve, 1500));
  peer.close();
  for (const source of sources) source.close();
}

test('a compromised page cannot open a connection, even to this machine, and looks up no name, which would leak it', async ({
  electron,
  home,
  running,
}) => {
  running.consoleWatch.allow(expected);
  const listener = await openLoopbackListener();
  const stranger = await openStranger(electron);
  for (const name of ['127.0.0.1', 'localhost']) {
    await stranger.evaluate(tryEveryNetworkApi, `${name}:${listener.port}`);
  }
  listener.close();
  expect(listener.received).toEqual([]);

  const file = join(home, 'net-log.json');
  await electron.evaluate(
    ({ session }, path) =>
      session.defaultSession.netLog.startLogging(path, { captureMode: 'everything' }),
    file,
  );
  await stranger.evaluate(tryEveryNetworkApi, 'a-secret.example.com');
  await electron.evaluate(({ session }) => session.defaultSession.netLog.stopLogging());
  const log = JSON.parse(await readFile(file, 'utf8')) as NetLog;
  const events = (name: string): readonly NetEvent[] => {
    const type = log.constants.logEventTypes[name];
    if (type === undefined) throw new Error(`This engine logs no ${name}.`);
    return log.events.filter((event) => event.type === type);
  };
  // All attempts end at an address which the engine itself refuses.
  expect(events('DNS_TRANSACTION_HTTPS_ATTEMPT').length).toBeGreaterThan(0);
  for (const sent of [
    'DNS_TRANSACTION_ATTEMPT',
    'DNS_TRANSACTION_TCP_ATTEMPT',
    'HOST_RESOLVER_SYSTEM_TASK',
    'UDP_BYTES_SENT',
  ]) {
    expect(events(sent), sent).toEqual([]);
  }
  const reached = events('TCP_CONNECT_ATTEMPT').flatMap(({ params }) => params?.address ?? []);
  expect(new Set(reached)).toEqual(new Set(['127.0.0.1:1']));
});

interface NetEvent {
  readonly type: number;
  readonly params?: { readonly address?: string };
}

interface NetLog {
  readonly constants: { readonly logEventTypes: Readonly<Record<string, number>> };
  readonly events: readonly NetEvent[];
}
