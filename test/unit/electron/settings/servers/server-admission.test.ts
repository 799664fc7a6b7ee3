import { describe, expect, it } from 'vitest';
import {
  isLoopbackServer,
  ServerAdmission,
} from '../../../../../electron/settings/servers/server-admission.ts';
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

/** An admission whose user always gives this answer, and the questions. */
function openAdmission(answer: boolean | Promise<boolean>, list: readonly EndpointProfile[] = []) {
  const questions: string[] = [];
  const settings = { ...defaultSettings, endpoints: { chosen: 'embedded', list } };
  const answered = (shown: string): Promise<boolean> => {
    questions.push(shown);
    return Promise.resolve(answer);
  };
  const { admit, admitProxy } = new ServerAdmission({
    settings: { get: () => settings },
    confirm: { newServer: answered, newProxy: answered, newToolServer: answered },
  });
  return { admit, admitProxy, questions };
}

describe('a new server', () => {
  it('is confirmed by its name, once per run', async () => {
    const { admit, questions } = openAdmission(true);
    expect(await admit(draft)).toEqual(done);
    expect(await admit({ ...draft, url: 'wss://ONE.example.invalid:443/elsewhere' })).toEqual(done);
    expect(questions).toEqual(['wss://one.example.invalid']);
  });

  it('needs a new confirmation after the user refused it', async () => {
    const { admit, questions } = openAdmission(false);
    expect(await admit(draft)).toEqual(refused);
    expect(await admit(draft)).toEqual(refused);
    expect(questions).toHaveLength(2);
  });

  it('is confirmed even if it replaces a known server', async () => {
    const known = { ...draft, id: 'server-1', hasToken: true };
    const { admit, questions } = openAdmission(false, [known]);
    const moved = { ...known, url: 'wss://two.example.invalid/' };
    expect(await admit(moved)).toMatchObject({ ok: false });
    expect(questions).toEqual(['wss://two.example.invalid']);
  });

  it('differs by port and by scheme', async () => {
    const { admit, questions } = openAdmission(true, [
      { ...draft, id: 'server-1', hasToken: false },
    ]);
    await admit({ ...draft, url: 'wss://one.example.invalid:444/' });
    await admit({ ...draft, url: 'ws://one.example.invalid/' });
    expect(questions).toEqual(['wss://one.example.invalid:444', 'ws://one.example.invalid']);
  });

  it('waits for a pending question about itself, and is refused during one about another', async () => {
    const answered = deferred();
    const { admit, questions } = openAdmission(answered.promise.then(() => true));
    const both = [admit(draft), admit(draft)];
    expect(await admit({ ...draft, url: 'wss://two.example.invalid/' })).toMatchObject({
      ok: false,
    });
    answered.resolve();
    expect(await Promise.all(both)).toEqual([done, done]);
    expect(questions).toEqual(['wss://one.example.invalid']);
  });
});

describe('the admission of servers', () => {
  it('admits a known server without a question', async () => {
    const { admit, questions } = openAdmission(false, [
      { ...draft, id: 'server-1', hasToken: false },
    ]);
    expect(await admit({ ...draft, url: 'wss://one.example.invalid/other' })).toEqual(done);
    expect(questions).toEqual([]);
  });

  it('admits this machine without a question', async () => {
    const { admit, questions } = openAdmission(false);
    expect(await admit({ ...draft, url: 'ws://127.0.0.1:8006/' })).toEqual(done);
    expect(questions).toEqual([]);
  });

  it('admits an invalid address without a question, because it cannot be connected to', async () => {
    const { admit, questions } = openAdmission(false);
    expect(await admit({ ...draft, url: 'home' })).toEqual(done);
    expect(questions).toEqual([]);
  });
});

describe('a new proxy', () => {
  const address = 'http://a:secret@proxy.example:3128';

  it('is confirmed without its login, once per run', async () => {
    const { admitProxy, questions } = openAdmission(true);
    expect(await admitProxy(address)).toEqual(done);
    expect(await admitProxy('http://PROXY.example:3128/')).toEqual(done);
    expect(questions).toEqual(['http://proxy.example:3128']);
  });

  it('is refused if the user does not confirm it', async () => {
    const { admitProxy } = openAdmission(false);
    expect(await admitProxy(address)).toEqual(
      failure('proxyNotConfirmed', { proxy: 'proxy.example:3128' }),
    );
  });

  it.each(['http://127.0.0.1:3128', 'socks5://localhost:1080', 'no proxy at all'])(
    'needs no question if it is local or invalid: %s',
    async (other) => {
      const { admitProxy, questions } = openAdmission(false);
      expect(await admitProxy(other)).toEqual(done);
      expect(questions).toEqual([]);
    },
  );
});

describe('isLoopbackServer', () => {
  it.each([
    'ws://localhost',
    'ws://localhost:8006',
    'wss://127.0.0.1:1',
    'ws://127.1.2.3',
    'ws://[::1]:8006',
  ])('accepts %s', (origin) => {
    expect(isLoopbackServer(origin)).toBe(true);
  });

  it.each([
    'ws://localhost.example.com',
    'ws://127.0.0.1.example.com:80',
    'ws://localhost:80@example.com',
    'ws://example.com/ws://localhost',
    'ws://parley.localhost',
    'ws://0.0.0.0',
    'ws://192.168.1.2',
    'ws://[::2]',
    'ws://2130706433',
    'http://localhost',
    '',
  ])('rejects %j', (origin) => {
    expect(isLoopbackServer(origin)).toBe(false);
  });
});
