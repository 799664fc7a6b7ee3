import { describe, expect, it } from 'vitest';
import {
  connectionOptions,
  readConnection,
  unencryptedServer,
} from '../../../../../../electron/hosts/terminal/options/connection-options.ts';
import { readArguments } from '../../../../../../electron/hosts/terminal/options/read-arguments.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { namedServers } from '../../../../../fakes/named-servers.ts';

interface From {
  readonly token?: string;
  readonly file?: string;
  readonly piped?: string;
  readonly environment?: string;
  readonly url?: string;
  /** Whether the command names no server. */
  readonly isEmbedded?: boolean;
}

/** The token that the command uses, and its warnings. */
async function resolved({
  token,
  file,
  piped,
  environment,
  url = 'wss://server',
  isEmbedded = false,
}: From) {
  const files = new FakeFiles();
  if (file !== undefined) files.put('token.txt', new TextEncoder().encode(file));
  let said = '';
  const args = [
    ...(isEmbedded ? [] : ['--url', url]),
    ...(token === undefined ? [] : ['--token', token]),
    ...(file === undefined ? [] : ['--token-file', 'token.txt']),
  ];
  const terminal = {
    out: () => undefined,
    err: (text: string) => {
      said += text;
    },
    environmentToken: () => environment,
    readIn: () => Promise.resolve({ ok: true, value: piped ?? '' } as const),
  };
  const given = readArguments({ name: 'demo', summary: '', options: connectionOptions }, args);
  const { endpoint } = await readConnection(given, terminal, { ...namedServers(), files });
  return { token: endpoint?.token, said };
}

describe('a token', () => {
  it('comes from the command, a file, stdin or the environment', async () => {
    expect(await resolved({ token: 'abc' })).toEqual({ token: 'abc', said: '' });
    expect(await resolved({ file: 'abc\r\n' })).toEqual({ token: 'abc', said: '' });
    expect(await resolved({ token: '-', piped: 'abc\n' })).toEqual({ token: 'abc', said: '' });
    expect(await resolved({ environment: 'abc' })).toEqual({ token: 'abc', said: '' });
    expect(await resolved({ environment: '' })).toEqual({ token: undefined, said: '' });
  });

  it('overrides the environment if the command gives it, with a warning', async () => {
    const said = 'PARLEY_TOKEN is ignored, because the command line gives another token.\n';
    const environment = 'env';
    expect(await resolved({ environment, token: 'abc' })).toEqual({ token: 'abc', said });
    expect(await resolved({ environment, file: 'abc' })).toEqual({ token: 'abc', said });
    expect(await resolved({ environment, token: '-', piped: 'abc' })).toEqual({
      token: 'abc',
      said,
    });
    expect(await resolved({ environment, token: 'env' })).toEqual({ token: 'env', said: '' });
  });

  it('is not taken from the environment for the embedded server', async () => {
    const embedded = await resolved({ environment: 'abc', isEmbedded: true });
    expect(embedded).toEqual({ token: undefined, said: '' });
  });

  it('is reported if it is missing', async () => {
    await expect(resolved({ file: ' \n' })).rejects.toThrow('token.txt contains no token.');
    await expect(resolved({ token: '-', piped: '' })).rejects.toThrow('Stdin contained no token');
  });

  it('causes a warning that does not show it if it goes unencrypted to another machine', async () => {
    const { said } = await resolved({ token: 'abc', url: 'ws://model.lan:8006' });
    expect(said).toBe(
      'The token is sent to model.lan unencrypted, and anyone on the network path can read it. Use wss:// if the server supports it.\n',
    );
    expect(await resolved({ url: 'ws://model.lan:8006' })).toMatchObject({ said: '' });
  });
});

it.each([
  ['ws://model.lan:8006', 'model.lan'],
  ['http://10.0.0.2/v1', '10.0.0.2'],
  ['WS://127.0.0.1.evil', '127.0.0.1.evil'],
  ['wss://model.lan', undefined],
  ['https://model.lan', undefined],
  ['ws://localhost:8006', undefined],
  ['ws://gateway.localhost', undefined],
  ['ws://127.0.0.2', undefined],
  ['ws://[::1]:8006', undefined],
  ['nonsense', undefined],
])('%s is reported as %s', (url, server) => {
  expect(unencryptedServer(url)).toBe(server);
});
