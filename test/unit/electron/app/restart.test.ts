import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openParley, type Parley } from '../../../../electron/app/parley.ts';
import { encodeWav } from '../../../../shared/audio/wav.ts';
import { appError, type Outcome } from '../../../../shared/errors/app-error.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { FakeKeychain } from '../../../fakes/fake-secrets.ts';
import { scriptedServer } from '../../../fakes/scripted-server.ts';
import { textContaining } from '../../../fakes/text-containing.ts';
import { readEveryFile, workFolder } from '../../../fakes/work-folder.ts';
import { speech } from '../settings/voices/speech.ts';

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
  vi.unstubAllEnvs();
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

function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

const filesWith = (text: string) =>
  readdirSync(folder).filter((name) => readFileSync(`${folder}/${name}`, 'utf8').includes(text));

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
      instructions: textContaining('助手'),
      maxSlices: 1,
    });
  });

  it('has no state folder if nothing was changed', async () => {
    const parley = start();
    expect(parley.settings.get().endpoints.chosen).toBe('embedded');
    await restart(parley);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });

  it('continues without a missing voice and reports it', async () => {
    const parley = start();
    unwrap(parley.settings.change({ voices: { model: 'gone', speech: 'none' } }));
    expect(unwrap(await parley.voices.sessionSettings('en')).voice).toBeUndefined();
    expect(parley.voices.missingVoices()).toMatchObject([
      { code: 'voiceStandsIn', cause: { code: 'voiceGone' } },
    ]);
    unwrap(parley.settings.change({ voices: { model: 'none' } }));
    unwrap(await parley.voices.sessionSettings('en'));
    expect(parley.voices.missingVoices()).toEqual([]);
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
      textContaining(/^parley warn: The settings could not be read.*damaged-1/),
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

  it('is reported as unencrypted without a keychain, and is only in its own file', async () => {
    const parley = start();
    const { id } = unwrap(await parley.endpoints.put(hosted));
    unwrap(await parley.endpoints.setToken(id, token));
    expect(parley.endpoints.tokenStorage()).toBe('plain');
    await parley.lifetime.end();
    expect(filesWith(token)).toEqual(['tokens.json']);
  });
});

describe('values of header and query fields', () => {
  const [header, query] = ['header-7f3a91c2d5', 'query-7f3a91c2d5'];

  it('move from an older version’s settings to the tokens', async () => {
    const profile = {
      ...hosted,
      id: 'hosted',
      headers: { 'X-Key': header },
      query: { code: query },
    };
    const endpoints = { chosen: 'hosted', list: [{ ...profile, hasToken: false }] };
    mkdirSync(folder);
    for (const name of ['settings', 'settings.last-good'])
      writeFileSync(`${folder}/${name}.json`, JSON.stringify({ version: 1, endpoints }));
    const parley = start();
    parley.settings.get();
    const again = await restart(parley);
    for (const text of [header, query]) expect(filesWith(text)).toEqual(['tokens.json']);
    expect(unwrap(await again.endpoints.open()).endpoint).toMatchObject({
      headers: { 'X-Key': header },
      query: { code: query },
    });
    expect(log.lines).toEqual([]);
  });

  it('are reported in one sentence, without their content, if they stay in the settings', async () => {
    const keychain = new FakeKeychain();
    keychain.locked = true;
    const list = [{ ...hosted, id: 'hosted', headers: { 'X-Key': header }, hasToken: false }];
    mkdirSync(folder);
    const text = JSON.stringify({ version: 1, endpoints: { chosen: 'hosted', list } });
    writeFileSync(`${folder}/settings.json`, text);
    const parley = start(keychain);
    parley.settings.get();
    await restart(parley, keychain);
    expect(readFileSync(`${folder}/settings.json`, 'utf8')).toBe(text);
    expect(log.lines).toEqual([
      textContaining(/^parley warn: .*still in the settings file.*next start/),
    ]);
    expect(log.lines.join()).not.toContain(header);
  });
});

describe('the demonstration', () => {
  it('works, and its connections share one gateway', async () => {
    const { connector } = start();
    expect(await connector.test({ id: 'embedded' }, 'video')).toMatchObject({ ok: true });
    const [one, two] = [unwrap(await connector.connect()), unwrap(await connector.connect())];
    expect([one.profile.kind, one.sockets]).toEqual(['embedded', two.sockets]);
  });

  it('is not tested in place of a deleted server', async () => {
    expect(await start().connector.test({ id: 'server-x' }, 'audio')).toMatchObject({
      ok: false,
      error: appError('serverGone'),
    });
  });
});
