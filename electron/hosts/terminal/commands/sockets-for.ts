import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { Endpoint } from '../../../../shared/endpoint.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Sockets } from '../../../ports/sockets.ts';
import { CommandError, exitCode } from '../exit-code.ts';

/** The server that was named, or the gateway that Parley carries. */
export async function socketsFor(
  parley: Pick<Parley, 'connectTo' | 'embeddedGateway'>,
  endpoint: Endpoint | undefined,
): Promise<Sockets> {
  if (endpoint !== undefined) return parley.connectTo(endpoint);
  const gateway = await parley.embeddedGateway();
  if (!gateway.ok) throw new CommandError(describeAppError(gateway.error), exitCode.failed);
  return gateway.value;
}
