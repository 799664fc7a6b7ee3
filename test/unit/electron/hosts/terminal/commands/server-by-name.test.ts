import { describe, expect, it } from 'vitest';
import {
  connectionOptions,
  readConnection,
} from '../../../../../../electron/hosts/terminal/options/connection-options.ts';
import { readArguments } from '../../../../../../electron/hosts/terminal/options/read-arguments.ts';
import type { EndpointProfile } from '../../../../../../shared/settings/endpoint-profile.ts';
import type { Endpoint } from '../../../../../../shared/settings/endpoint.ts';
import { namedServers } from '../../../../../fakes/named-servers.ts';

const spec = { name: 'demo', summary: '', options: connectionOptions } as const;
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
const [profile, endpoint] = server('four', 'Limited');
const limited = [{ ...profile, traits: { timeLimit: 60 } }, endpoint] as const;
const kept = [
  server('one', 'At home', 'legacy'),
  server('two', 'Work'),
  server('six', 'work'),
  limited,
];
const terminal = { out: () => undefined, err: () => undefined };
const ask = (...args: readonly string[]) =>
  readConnection(readArguments(spec, args), terminal, namedServers(kept));

describe('a stored server that a command names', () => {
  it('is used with its token and dialect, ignoring case', async () => {
    expect(await ask('--server', 'at HOME')).toMatchObject({
      endpoint: { url: 'wss://one.example/v1/realtime', token: 'kept' },
      dialect: 'legacy',
    });
    expect(await ask('--server', 'Limited')).toMatchObject({ traits: { timeLimit: 60 } });
    expect(await ask('--server=one', '--dialect=unified')).toMatchObject({ dialect: 'unified' });
    expect(await ask()).toMatchObject({ endpoint: undefined, dialect: 'auto' });
  });

  it('is the model on this computer without a name, if the settings choose that', async () => {
    const core = namedServers(kept);
    const settings = core.settings.get();
    const choose = (chosen: string, ...args: readonly string[]) =>
      readConnection(readArguments(spec, args), terminal, {
        ...core,
        settings: { get: () => ({ ...settings, endpoints: { ...settings.endpoints, chosen } }) },
      });
    expect(await choose('computer')).toMatchObject({ isOnComputer: true, endpoint: undefined });
    expect(await choose('computer')).toMatchObject({ traits: { contextLimit: 4096 } });
    expect(await choose('embedded')).toMatchObject({ isOnComputer: false, endpoint: undefined });
    expect(await choose('one')).toMatchObject({ isOnComputer: false, endpoint: undefined });
    expect(await choose('computer', '--server', 'one')).toMatchObject({ isOnComputer: false });
    expect(await choose('computer', '--server', 'demonstration')).toMatchObject({
      isOnComputer: false,
    });
  });

  it('fails with one sentence if the name is not unique', async () => {
    await expect(ask('--server', 'Attic')).rejects.toThrow(
      /^The settings have no server called “Attic”, only .*“At home”, “Work”, “work”, “Limited”\.$/u,
    );
    await expect(ask('--server', 'Work')).rejects.toThrow(
      'Several servers are called “Work”; name one by its id: two, six.',
    );
    expect(await ask('--server=six')).toMatchObject({
      endpoint: { url: 'wss://six.example/v1/realtime' },
    });
  });
});
