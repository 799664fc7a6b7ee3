import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Sockets } from '../../../ports/sockets.ts';
import { CommandError, exitCode, UsageError } from '../exit-code.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';

interface NamedServers {
  readonly settings: Pick<Parley['settings'], 'get'>;
  readonly endpoints: Pick<Parley['endpoints'], 'open'>;
}

/** What a command that talks to a server needs for finding it. */
export type ServerCore = Pick<Parley, 'connectTo' | 'embeddedGateway'> & NamedServers;

/** The connection with the address, the token and the dialect of the server in the settings, where one is named. */
export async function resolveServer(
  { settings, endpoints }: NamedServers,
  connection: ConnectionOptions,
): Promise<ConnectionOptions> {
  const { server } = connection;
  if (server === undefined) return connection;
  const { list } = settings.get().endpoints;
  const folded = server.trim().toLowerCase();
  const found = list.filter(({ id, name }) => id === server || name.toLowerCase() === folded);
  const [profile] = found;
  const names = list.map(({ name }) => `“${name}”`).join(', ');
  if (profile === undefined)
    throw new UsageError(`No server is called “${server}”; the settings have ${names}.`);
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new UsageError(`Several servers are called “${server}”; name one by its id: ${ids}.`);
  }
  const { endpoint } = unwrapOrExit(await endpoints.open(profile.id));
  const dialect = connection.dialect === 'auto' ? profile.dialect : connection.dialect;
  return { ...connection, endpoint, dialect };
}

/** The server that was named, or the gateway that Parley carries. */
export async function socketsFor(
  parley: Pick<Parley, 'connectTo' | 'embeddedGateway'>,
  { endpoint, proxy }: Pick<ConnectionOptions, 'endpoint' | 'proxy'>,
): Promise<Sockets> {
  if (endpoint !== undefined) return parley.connectTo(endpoint, proxy);
  const gateway = await parley.embeddedGateway();
  if (!gateway.ok) throw new CommandError(describeAppError(gateway.error), exitCode.failed);
  return gateway.value;
}
