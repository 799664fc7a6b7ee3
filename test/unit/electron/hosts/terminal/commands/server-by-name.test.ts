import { describe, expect, it } from 'vitest';
import { resolveServer } from '../../../../../../electron/hosts/terminal/options/connection-options.ts';
import type { EndpointProfile } from '../../../../../../shared/settings/endpoint-profile.ts';
import type { Endpoint } from '../../../../../../shared/settings/endpoint.ts';
import { namedServers } from '../../../../../fakes/named-servers.ts';

const server = (
  id: string,
  name: string,
  dialect: EndpointProfile['dialect'] = 'auto',
): readonly [EndpointProfile, Endpoint] => {
  const url = `wss://${id}.example/v1/realtime`;
  const profile = { id, name, kind: 'hosted', url, dialect, headers: {}, query: {} } as const;
  return [
    { ...profile, hasToken: true },
    { url, token: 'kept', headers: {}, query: {}, insecure: false },
  ];
};
const kept = [server('one', 'At home', 'legacy'), server('two', 'Work'), server('six', 'work')];
const ask = (name: string | undefined, dialect: 'auto' | 'unified' = 'auto') =>
  resolveServer(namedServers(kept), {
    server: name,
    endpoint: undefined,
    proxy: undefined,
    dialect,
    json: false,
  });

describe('a server of the settings that a command names', () => {
  it('is used with its token and its dialect, whatever the size of its letters', async () => {
    expect(await ask('at HOME')).toMatchObject({
      endpoint: { url: 'wss://one.example/v1/realtime', token: 'kept' },
      dialect: 'legacy',
    });
    expect(await ask('one', 'unified')).toMatchObject({ dialect: 'unified' });
    expect(await ask(undefined)).toMatchObject({ endpoint: undefined, dialect: 'auto' });
  });

  it('is asked for in one sentence where it is not one', async () => {
    await expect(ask('Attic')).rejects.toThrow(
      /^No server is called “Attic”; the settings have .*“At home”, “Work”, “work”\.$/u,
    );
    await expect(ask('Work')).rejects.toThrow(
      'Several servers are called “Work”; name one by its id: two, six.',
    );
    expect(await ask('six')).toMatchObject({ endpoint: { url: 'wss://six.example/v1/realtime' } });
  });
});
