import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { Endpoint } from '../../../../shared/endpoint.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { ProxyChoice } from '../../../settings/proxy-store.ts';
import type { Sockets } from '../../../ports/sockets.ts';
import { CommandError, exitCode } from '../exit-code.ts';

interface NamedServer {
  readonly endpoint: Endpoint | undefined;
  /** As it is set, where none was said. */
  readonly proxy: ProxyChoice | undefined;
}

/** The server that was named, or the gateway that Parley carries. */
export async function socketsFor(
  parley: Pick<Parley, 'connectTo' | 'embeddedGateway'>,
  { endpoint, proxy }: NamedServer,
): Promise<Sockets> {
  if (endpoint !== undefined) return parley.connectTo(endpoint, proxy);
  const gateway = await parley.embeddedGateway();
  if (!gateway.ok) throw new CommandError(describeAppError(gateway.error), exitCode.failed);
  return gateway.value;
}
