import { describe, expect, it } from 'vitest';
import { ServerAdmission } from '../../../../electron/settings/server-admission.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import { defaultSettings } from '../../../../shared/settings/default-settings.ts';
import type {
  EndpointProfile,
  ProfileDraft,
} from '../../../../shared/settings/endpoint-profile.ts';
import { deferred } from '../../../fakes/deferred.ts';

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
  const { admit } = new ServerAdmission({
    settings: { get: () => settings },
    confirm: {
      newServer: (server) => {
        asked.push(server);
        return Promise.resolve(answer);
      },
    },
  });
  return { admit, asked };
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
