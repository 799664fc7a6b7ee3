import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openParley, type Parley } from '../../../../electron/app/parley.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { FakeKeychain } from '../../../fakes/fake-secrets.ts';
import { httpProxy, type SmallProxy } from '../../../fakes/proxies.ts';
import { scriptedServer, type ScriptedServer } from '../../../fakes/scripted-server.ts';
import { readEveryFile, workFolder } from '../../../fakes/work-folder.ts';

const login = { name: 'ann-of-sales', password: 'hush-4f9a2b71c3' };
const encoded = Buffer.from(`${login.name}:${login.password}`).toString('base64');

let folder: string;
let log: FakeLog;
let parley: Parley;
let server: ScriptedServer;
let proxy: SmallProxy;
let posted: unknown[];

beforeEach(async () => {
  folder = workFolder()('state');
  vi.stubEnv('PARLEY_STATE_DIR', folder);
  log = new FakeLog();
  posted = [];
  server = await scriptedServer({
    accepted: (socket) => {
      socket.send('{"type":"session.queue_done"}');
    },
  });
  proxy = await httpProxy({ login });
  parley = openParley('browser', '0', log, { keychain: new FakeKeychain() });
  parley.machine.notices.listen((notice) => posted.push(notice));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await parley.lifetime.end();
  await Promise.all([server.end(), proxy.end()]);
});

const testServer = () =>
  parley.answer('testEndpoint', {
    server: {
      name: 'By a proxy',
      kind: 'hosted',
      url: `ws://server.test:${server.port}/v1/realtime`,
      dialect: 'auto',
      headers: {},
      query: {},
    },
    mode: 'audio',
  });

it('a user name and a password in the proxy’s address reach only the proxy', async () => {
  const answers: unknown[] = [];
  const set = async (address: string, given = { name: '', password: '' }): Promise<void> => {
    answers.push(await parley.answer('setProxy', { address, ...given }));
  };
  const at = `127.0.0.1:${proxy.port}`;
  await set(`http://${login.name}:${login.password}@${at}`);
  expect(answers[0]).toMatchObject({
    ok: true,
    value: { proxy: { way: 'address', address: `http://${at}`, hasLogin: true } },
  });
  const works = await testServer();
  expect(works).toMatchObject({ ok: true, value: { ok: true } });
  expect(proxy.targets).toEqual([`server.test:${server.port}`]);

  // Failures whose text could repeat the password.
  await set(`http://${login.name}:${login.password}@${at}/path`);
  await set(`http://${at}`, { name: 'a:b', password: login.password });
  await set(`http://${at}`, { ...login, name: 'somebody-else' });
  answers.push(await testServer());
  await set(`socks5://${login.name}:${login.password}@${at}`);
  answers.push(await testServer(), await parley.answer('settings', undefined));
  answers.push(await parley.answer('prepareReport', { of: { kind: 'last' } }));
  await parley.lifetime.end();

  expect(answers.slice(1, 3)).toMatchObject([
    { error: { code: 'proxyAddressForm' } },
    { error: { code: 'proxyLoginForm' } },
  ]);
  expect(answers[4]).toMatchObject({ value: { ok: false, error: { code: 'proxyRefusesLogin' } } });
  for (const secret of [login.name, login.password, encoded])
    for (const place of [
      JSON.stringify([answers, posted]),
      readEveryFile(folder),
      log.lines.join('\n'),
    ])
      expect(place).not.toContain(secret);
});

it('a changed proxy applies to the next connection, and deleting tokens deletes its password', async () => {
  const address = `http://127.0.0.1:${proxy.port}`;
  await parley.answer('setProxy', { address, ...login });
  expect(await testServer()).toMatchObject({ value: { ok: true } });
  await parley.servers.endpoints.forgetAllTokens();
  expect(parley.servers.settings.get().proxy).toEqual({ way: 'address', address, hasLogin: false });
  const withoutLogin = await testServer();
  expect(withoutLogin).toMatchObject({ value: { ok: false, error: { code: 'proxyWantsLogin' } } });
  await parley.answer('changeSettings', { proxy: { way: 'none' } });
  const direct = await testServer();
  expect(direct).toMatchObject({ value: { ok: false } });
  expect(JSON.stringify(direct)).not.toContain('proxy');
});

it('a page cannot change the proxy’s address with the other settings', async () => {
  for (const patch of [{ address: 'http://elsewhere:1' }, { way: 'address', hasLogin: true }])
    expect(await parley.answer('changeSettings', { proxy: patch })).toMatchObject({ ok: false });
  expect(parley.servers.settings.get().proxy.way).toBe('system');
});

it('an invalid proxy address is refused in one sentence, without the password', async () => {
  const answer = await parley.answer('setProxy', { address: 'proxy', ...login });
  expect(answer.ok ? '' : englishErrorMessage(answer.error)).toBe(
    'A proxy’s address looks like http://proxy.example:3128.',
  );
});
