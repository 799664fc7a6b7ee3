import type { Lifetime } from '../shared/lifetime.ts';
import { createServerCodec } from '../shared/protocol/server-codec.ts';
import { bufferBase64 } from './adapters/buffer-base64.ts';
import { loadDemoSpeech } from './adapters/demo-speech.ts';
import { serveGateway } from './adapters/gateway-server.ts';
import type { Clock, Random } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { Outcome } from './ports/outcome.ts';
import type { Pictures } from './ports/pictures.ts';
import type { Sockets } from './ports/sockets.ts';
import { resourcesFolder } from './resources-folder.ts';
import type { Gateway, GatewayOptions } from './simulator/gateway.ts';
import { gatewaySockets } from './simulator/in-process.ts';
import { openGateway } from './simulator/open-gateway.ts';
import { defaultGatewayOptions } from './simulator/options.ts';

/** The gateway that Parley carries: what is not chosen is as it usually is. */
export interface GatewayDoors {
  /** Reached in this process, without a network. */
  readonly embeddedGateway: (options?: Partial<GatewayOptions>) => Promise<Outcome<Sockets>>;
  /** Reached at a port of this machine, until the lifetime ends. */
  readonly serveGateway: (
    options: Partial<GatewayOptions>,
    port: number,
  ) => Promise<Outcome<{ readonly url: string }>>;
}

interface Needs {
  readonly clock: Clock;
  readonly random: Random;
  readonly pictures: Pictures;
  readonly log: Log;
  readonly lifetime: Lifetime;
}

const thisMachine = '127.0.0.1';

export function composeGateway(needs: Needs): GatewayDoors {
  const { clock, log, lifetime } = needs;
  return {
    embeddedGateway: async (options = {}) => {
      const gateway = await open(options, needs);
      if (!gateway.ok) return gateway;
      return { ok: true, value: gatewaySockets(gateway.value, clock) };
    },
    serveGateway: async (options, port) => {
      const gateway = await open(options, needs);
      if (!gateway.ok) return gateway;
      const served = await serveGateway(gateway.value, { host: thisMachine, port, log });
      if (served.ok) lifetime.add(served.value.end);
      return served;
    },
  };
}

async function open(options: Partial<GatewayOptions>, needs: Needs): Promise<Outcome<Gateway>> {
  const speech = await loadDemoSpeech(resourcesFolder('speech'));
  if (!speech.ok) return speech;
  const gateway = openGateway(
    { ...defaultGatewayOptions, ...options },
    { ...needs, codec: createServerCodec(bufferBase64), speech: speech.value },
  );
  needs.lifetime.add(gateway.end);
  return { ok: true, value: gateway };
}
