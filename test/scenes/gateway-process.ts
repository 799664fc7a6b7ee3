// A child process: the gateway behind a real WebSocket, with the given options.
import { openParley } from '../../electron/app/parley.ts';
import type { GatewayOptions } from '../../electron/gateway/gateway-options.ts';

export async function run(options: string): Promise<void> {
  const parley = openParley('terminal', 'scenes');
  const served = await parley.servers.gateway.serve(
    JSON.parse(options) as Partial<GatewayOptions>,
    0,
  );
  if (!served.ok) throw new Error(served.error.code);
  process.send?.({ url: served.value.url });
}
