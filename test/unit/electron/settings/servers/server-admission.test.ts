import { describe, expect, it } from 'vitest';
import { ServerAdmission } from '../../../../../electron/settings/servers/server-admission.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
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
const done = { ok: true, value: undefined };
const refused = failure('serverNotConfirmed', { server: 'wss://one.example.invalid' });

/** A person who answers the same to every question, and what they were asked. */
function open(answer: boolean | Promise<boolean>, list: readonly EndpointProfile[] = []) {
  const asked: string[] = [];
  const settings = { ...defaultSettings, endpoints: { chosen: 'embedded', list } };
  const answered = (shown: string): Promise<boolean> => {
    asked.push(shown);
    return Promise.resolve(answer);
  };
  const { admit, admitProxy } = new ServerAdmission({
    settings: { get: () => settings },
    confirm: { newServer: answered, newProxy: answered },
  });
  return { admit, admitProxy, asked };
}

describe('a server that was not there before', () => {
  it('is asked about by its name, and once for the run', async () => {
    const { admit, asked } = open(true);
    expect(await admit(draft)).toEqual(done);
    expect(await admit({ ...draft, url: 'wss://ONE.example.invalid:443/elsewhere' })).toEqual(done);
    expect(asked).toEqual(['wss://one.example.invalid']);
  });

  it('is refused where the person says no, and asked about again the next time', async () => {
    const { admit, asked } = open(false);
    expect(await admit(draft)).toEqual(refused);
    expect(await admit(draft)).toEqual(refused);
    expect(asked).toHaveLength(2);
  });

  it('is asked about also where it takes the place of one that is known', async () => {
    const known = { ...draft, id: 'server-1', hasToken: true };
    const { admit, asked } = open(false, [known]);
    const moved = { ...known, url: 'wss://two.example.invalid/' };
    expect(await admit(moved)).toMatchObject({ ok: false });
    expect(asked).toEqual(['wss://two.example.invalid']);
  });

  it('is another one by its port and by its scheme', async () => {
    const { admit, asked } = open(true, [{ ...draft, id: 'server-1', hasToken: false }]);
    await admit({ ...draft, url: 'wss://one.example.invalid:444/' });
    await admit({ ...draft, url: 'ws://one.example.invalid/' });
    expect(asked).toEqual(['wss://one.example.invalid:444', 'ws://one.example.invalid']);
  });

  it('has one question at a time: the same waits for it, another is refused', async () => {
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

describe('nobody is asked', () => {
  it('about a server that is among the known', async () => {
    const { admit, asked } = open(false, [{ ...draft, id: 'server-1', hasToken: false }]);
    expect(await admit({ ...draft, url: 'wss://one.example.invalid/other' })).toEqual(done);
    expect(asked).toEqual([]);
  });

  it('about this machine', async () => {
    const { admit, asked } = open(false);
    expect(await admit({ ...draft, url: 'ws://127.0.0.1:8006/' })).toEqual(done);
    expect(asked).toEqual([]);
  });

  it('about an address that is none: why is said by whoever would connect', async () => {
    const { admit, asked } = open(false);
    expect(await admit({ ...draft, url: 'home' })).toEqual(done);
    expect(asked).toEqual([]);
  });
});

describe('a proxy that was not there before', () => {
  const address = 'http://a:secret@proxy.example:3128';

  it('is asked about without its name and password, and once for the run', async () => {
    const { admitProxy, asked } = open(true);
    expect(await admitProxy(address)).toEqual(done);
    expect(await admitProxy('http://PROXY.example:3128/')).toEqual(done);
    expect(asked).toEqual(['http://proxy.example:3128']);
  });

  it('is refused where the person says no', async () => {
    const { admitProxy } = open(false);
    expect(await admitProxy(address)).toEqual(
      failure('proxyNotConfirmed', { proxy: 'proxy.example:3128' }),
    );
  });

  it.each(['http://127.0.0.1:3128', 'socks5://localhost:1080', 'no proxy at all'])(
    '%s needs no question: it is on this machine, or refused in words',
    async (other) => {
      const { admitProxy, asked } = open(false);
      expect(await admitProxy(other)).toEqual(done);
      expect(asked).toEqual([]);
    },
  );
});
