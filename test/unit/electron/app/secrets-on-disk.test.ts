import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openParley, type Parley } from '../../../../electron/app/parley.ts';
import { encodeWav } from '../../../../shared/audio/wav.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { FakeKeychain } from '../../../fakes/fake-secrets.ts';
import { scriptedServer, type ScriptedServer } from '../../../fakes/scripted-server.ts';
import { readEveryFile, workFolder } from '../../../fakes/work-folder.ts';
import { speech } from '../settings/voices/speech.ts';
import { httpProxy, type SmallProxy } from '../../../fakes/proxies.ts';
import { unwrap } from '../../../fakes/unwrap.ts';

describe('the state on disk', () => {
  const token = 'tok-7f3a91c2d5';

  let folder: string;
  let open: Parley[] = [];
  let log: FakeLog;

  beforeEach(() => {
    folder = workFolder()('state');
    log = new FakeLog();
    vi.stubEnv('PARLEY_STATE_DIR', folder);
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ lifetime }) => lifetime.end()));
  });

  function start(keychain?: FakeKeychain) {
    const parley = openParley('browser', '0', log, { keychain });
    open.push(parley);
    const { lifetime, servers, voices, voiceLibrary } = parley;
    const { settings, endpoints, connector } = servers;
    return { parley, lifetime, settings, endpoints, connector, voices, voiceLibrary };
  }

  async function restart({ parley }: ReturnType<typeof start>, keychain?: FakeKeychain) {
    await parley.lifetime.end();
    open = open.filter((other) => other !== parley);
    return start(keychain);
  }

  const hosted = {
    name: 'Hosted',
    kind: 'hosted',
    url: 'wss://api.example.invalid/v1/realtime',
    dialect: 'auto',
    headers: {},
    query: { model: 'o' },
  } as const;

  describe('a restarted Parley', () => {
    it('has its settings, servers, tokens and voices', async () => {
      const parley = start();
      unwrap(parley.settings.change({ appearance: { theme: 'dark' } }));
      const { id } = unwrap(await parley.endpoints.put(hosted));
      unwrap(await parley.endpoints.setToken(id, token));
      unwrap(parley.settings.change({ endpoints: { chosen: id } }));
      const wav = encodeWav(speech(4), { rate: 16_000, channels: 1, coding: 'pcm16' });
      const voice = unwrap(await parley.voiceLibrary.importBytes('Ann', wav));
      unwrap(parley.settings.change({ voices: { speech: voice.id } }));

      const again = await restart(parley);
      expect(again.settings.get()).toMatchObject({
        appearance: { theme: 'dark' },
        endpoints: { chosen: id },
        voices: { model: 'none', speech: voice.id },
      });
      expect(unwrap(await again.endpoints.open()).endpoint?.token).toBe(token);
      expect(unwrap(await again.voiceLibrary.list())).toEqual([voice]);
      const settings = unwrap(await again.voices.sessionSettings('en'));
      expect(settings.voice?.speech).toHaveLength(4 * 16_000);
      expect(settings.voice?.model).toBeUndefined();

      unwrap(await again.voices.remove(voice.id));
      expect(again.settings.get().voices.speech).toBe('none');
      expect(unwrap(await again.voices.sessionSettings('zh'))).toEqual({
        instructions: expect.stringContaining('助手') as unknown,
        maxSlices: 1,
      });
    });

    it('logs that its settings are damaged, sets the file aside, and restores the last good ones', async () => {
      const first = start();
      unwrap(first.settings.change({ captions: { size: 40 } }));
      await first.lifetime.end();
      const text = readFileSync(`${folder}/settings.json`, 'utf8');
      writeFileSync(`${folder}/settings.json`, text.slice(0, 100));
      const again = start();
      expect(again.settings.get().captions.size).toBe(40);
      expect(again.settings.problems()).toHaveLength(1);
      expect(log.lines).toEqual([
        expect.stringMatching(/^parley warn: The settings could not be read.*damaged-1/),
      ]);
      expect(readFileSync(`${folder}/settings.damaged-1.json`, 'utf8')).toBe(text.slice(0, 100));
    });
  });

  describe('a token', () => {
    it('is only in its own file, and in no log or reply to a page', async () => {
      const server = await scriptedServer({
        upgrade: (line, { headers }) => {
          const body = `who are you, ${headers.authorization ?? 'nobody'}?`;
          line.end(`HTTP/1.1 401 No\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        },
      });
      const parley = start(new FakeKeychain());
      const { endpoints, connector, settings } = parley;
      const draft = { ...hosted, url: `ws://127.0.0.1:${server.port}` };
      const { id } = unwrap(await endpoints.put(draft));
      const answers = [
        await endpoints.setToken(id, token),
        await connector.test({ id }, 'audio'),
        await connector.test(draft, 'audio', token),
        await connector.test({ ...draft, id }, 'audio'),
        await endpoints.put({ ...draft, id, url: 'nowhere' }),
        await endpoints.setToken(id, `${token} x`),
        settings.get(),
        settings.problems(),
        endpoints.forgetToken(id),
      ];
      unwrap(await endpoints.setToken(id, token));
      await parley.lifetime.end();
      await server.end();
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
        [token, token, token].map((each) => `Bearer ${each}`),
      );
      expect(answers[1]).toMatchObject({ ok: false, error: { code: 'refusedUnknown' } });
      for (const place of [JSON.stringify(answers), readEveryFile(folder), log.lines.join('\n')]) {
        expect(place).not.toContain(token);
      }
      expect(readEveryFile(folder)).toContain('"hasToken": true');
    });
  });
});

describe('the login of a proxy', () => {
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

  it('reaches only the proxy, even if the user typed it into the address', async () => {
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
    expect(answers[4]).toMatchObject({
      value: { ok: false, error: { code: 'proxyRefusesLogin' } },
    });
    for (const secret of [login.name, login.password, encoded])
      for (const place of [
        JSON.stringify([answers, posted]),
        readEveryFile(folder),
        log.lines.join('\n'),
      ])
        expect(place).not.toContain(secret);
  });

  it('is not sent to an address that a page sets among the other settings', async () => {
    for (const patch of [{ address: 'http://elsewhere:1' }, { way: 'address', hasLogin: true }])
      expect(await parley.answer('changeSettings', { proxy: patch })).toMatchObject({ ok: false });
    expect(parley.servers.settings.get().proxy.way).toBe('system');
  });
});
