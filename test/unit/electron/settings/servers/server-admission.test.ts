import { describe, expect, it } from 'vitest';
import { ServerAdmission } from '../../../../../electron/settings/servers/server-admission.ts';
import { done, failure } from '../../../../../shared/errors/app-error.ts';
import type {
  EndpointProfile,
  ProfileDraft,
} from '../../../../../shared/settings/endpoint-profile.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { deferred } from '../../../../fakes/deferred.ts';

const draft: ProfileDraft = {
  name: 'Hosted',
  kind: 'hosted',
  url: 'wss://one.example.invalid/v1/realtime',
  dialect: 'auto',
  headers: {},
  query: {},
};
const refused = failure('serverNotConfirmed', { server: 'wss://one.example.invalid' });

/** A user with a fixed answer, and the questions asked. */
function open(answer: boolean | Promise<boolean>, list: readonly EndpointProfile[] = []) {
  const asked: string[] = [];
  const settings = { ...defaultSettings, endpoints: { chosen: 'embedded', list } };
  const answered = (shown: string): Promise<boolean> => {
    asked.push(shown);
    return Promise.resolve(answer);
  };
  const { admit, admitProxy } = new ServerAdmission({
    settings: { get: () => settings },
    confirm: { newServer: answered, newProxy: answered, newToolServer: answered },
  });
  return { admit, admitProxy, asked };
}

describe('a new server', () => {
  it('is confirmed by its name, once per run', async () => {
    const { admit, asked } = open(true);
    expect(await admit(draft)).toEqual(done);
    expect(await admit({ ...draft, url: 'wss://ONE.example.invalid:443/elsewhere' })).toEqual(done);
    expect(asked).toEqual(['wss://one.example.invalid']);
  });

  it('needs a new confirmation after the user refused it', async () => {
    const { admit, asked } = open(false);
    expect(await admit(draft)).toEqual(refused);
    expect(await admit(draft)).toEqual(refused);
    expect(asked).toHaveLength(2);
  });

  it('is confirmed even if it replaces a known server', async () => {
    const known = { ...draft, id: 'server-1', hasToken: true };
    const { admit, asked } = open(false, [known]);
    const moved = { ...known, url: 'wss://two.example.invalid/' };
    expect(await admit(moved)).toMatchObject({ ok: false });
    expect(asked).toEqual(['wss://two.example.invalid']);
  });

  it('differs by port and by scheme', async () => {
    const { admit, asked } = open(true, [{ ...draft, id: 'server-1', hasToken: false }]);
    await admit({ ...draft, url: 'wss://one.example.invalid:444/' });
    await admit({ ...draft, url: 'ws://one.example.invalid/' });
    expect(asked).toEqual(['wss://one.example.invalid:444', 'ws://one.example.invalid']);
  });

  it('has one question at a time: the same server waits, another is refused', async () => {
    const answered = deferred();
    const { admit, asked } = open(answered.promise.then(() => true));
    const both = [admit(draft), admit(draft)];
    expect(await admit({ ...draft, url: 'wss://two.example.invalid/' })).toMatchObject({
      ok: false,
    });
    answered.resolve();
    expect(await Promise.all(both)).toEqual([done, done]);
    expect(asked).toEqual(['wss://one.example.invalid']);
  });
});

describe('the admission of servers', () => {
  it('admits a known server without a question', async () => {
    const { admit, asked } = open(false, [{ ...draft, id: 'server-1', hasToken: false }]);
    expect(await admit({ ...draft, url: 'wss://one.example.invalid/other' })).toEqual(done);
    expect(asked).toEqual([]);
  });

  it('admits this machine without a question', async () => {
    const { admit, asked } = open(false);
    expect(await admit({ ...draft, url: 'ws://127.0.0.1:8006/' })).toEqual(done);
    expect(asked).toEqual([]);
  });

  it('asks nothing about an invalid address, which fails when connecting', async () => {
    const { admit, asked } = open(false);
    expect(await admit({ ...draft, url: 'home' })).toEqual(done);
    expect(asked).toEqual([]);
  });
});

describe('a new proxy', () => {
  const address = 'http://a:secret@proxy.example:3128';

  it('is confirmed without its login, once per run', async () => {
    const { admitProxy, asked } = open(true);
    expect(await admitProxy(address)).toEqual(done);
    expect(await admitProxy('http://PROXY.example:3128/')).toEqual(done);
    expect(asked).toEqual(['http://proxy.example:3128']);
  });

  it('is refused if the user says no', async () => {
    const { admitProxy } = open(false);
    expect(await admitProxy(address)).toEqual(
      failure('proxyNotConfirmed', { proxy: 'proxy.example:3128' }),
    );
  });

  it.each(['http://127.0.0.1:3128', 'socks5://localhost:1080', 'no proxy at all'])(
    'needs no question if it is local or invalid: %s',
    async (other) => {
      const { admitProxy, asked } = open(false);
      expect(await admitProxy(other)).toEqual(done);
      expect(asked).toEqual([]);
    },
  );
});
