import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpProxy } from '../../fakes/proxies.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { answerDialogs } from '../fixtures/pages/app-windows.ts';
import type { RunningHost } from '../fixtures/running-host.ts';
import { openAcceptingServer } from '../fixtures/servers.ts';

const noProxies = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
    [name, ''],
    [name.toUpperCase(), ''],
  ]),
);

/** Tests a server whose name only the proxy can resolve. */
const testServer = async ({ page, electron }: RunningHost, port: number): Promise<unknown> => {
  if (electron !== undefined) await answerDialogs(electron, 0);
  return page.evaluate(
    (url) =>
      window.parley?.request('testEndpoint', {
        server: { name: 'Far', kind: 'hosted', url, dialect: 'auto', headers: {}, query: {} },
        mode: 'audio',
      }),
    `ws://server.test:${port}/v1/realtime`,
  );
};

test('the core’s connections follow the system’s PAC script, although the page has an unreachable proxy', async ({
  host,
  language,
  stored,
}) => {
  const proxy = await httpProxy();
  const server = await openAcceptingServer();
  const script = createServer((_request, response) => {
    response.setHeader('content-type', 'application/x-ns-proxy-autoconfig');
    response.end(
      `function FindProxyForURL(url, host) {
        return host === 'server.test' ? 'PROXY 127.0.0.1:1; PROXY 127.0.0.1:${proxy.port}' : 'DIRECT';
      }`,
    );
  });
  await new Promise<void>((resolve) => {
    script.listen(0, '127.0.0.1', resolve);
  });
  const { port } = script.address() as AddressInfo;
  // Proxy settings in KDE's format.
  const home = await mkdtemp(join(tmpdir(), 'parley-proxy-'));
  const settings = `[Proxy Settings]\nProxyType=2\nProxy Config Script=http://127.0.0.1:${port}/a.pac\n`;
  const folder = join(home, 'share/config');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'kioslaverc'), settings);
  const running = await openDesktop({
    kind: host,
    language,
    stored,
    home,
    environment: {
      ...noProxies,
      XDG_CURRENT_DESKTOP: 'KDE',
      KDE_SESSION_VERSION: '5',
      KDEHOME: home,
    },
  });
  try {
    expect(await testServer(running, server.port)).toMatchObject({ ok: true, value: { ok: true } });
    expect(proxy.targets).toEqual([`server.test:${server.port}`]);
  } finally {
    await running.close();
    script.closeAllConnections();
    await new Promise((resolve) => script.close(resolve));
    await Promise.all([proxy.end(), server.end()]);
    await rm(home, { recursive: true, force: true });
  }
});
