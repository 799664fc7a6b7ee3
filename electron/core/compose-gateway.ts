import type { Lifetime } from '../../shared/lifetime.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { systemWallClock } from '../adapters/system/system-clock.ts';
import { bufferBase64 } from '../adapters/system/buffer-base64.ts';
import { loadDemoSpeech } from '../adapters/files/demo-speech.ts';
import { serveGateway } from '../adapters/gateway/gateway-server.ts';
import { makeOwnCertificate } from '../adapters/gateway/own-certificate.ts';
import { openSessionLogs } from '../adapters/gateway/session-log.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Pictures } from '../ports/pictures.ts';
import type { Sockets } from '../ports/sockets.ts';
import { resourcesFolder } from './resources-folder.ts';
import type { Gateway, GatewayOptions } from '../gateway/gateway.ts';
import { gatewaySockets } from '../gateway/in-process-sockets.ts';
import { openGateway } from '../gateway/open-gateway.ts';
import { recordGateway } from '../gateway/record-gateway.ts';
import { defaultGatewayOptions } from '../gateway/gateway.ts';

/** The gateway that Parley carries: what is not chosen is as it usually is. */
export interface GatewayServices {
  /** Reached in this process, without a network. */
  readonly embeddedGateway: (options?: Partial<GatewayOptions>) => Promise<Outcome<Sockets>>;
  /** Reached at a port of this machine, until the lifetime ends. */
  readonly serveGateway: (
    options: Partial<GatewayOptions>,
    port: number,
    door?: GatewayServingOptions,
  ) => Promise<Outcome<ServedGateway>>;
}

/** How it is reached, and what is kept of who comes. */
export interface GatewayServingOptions {
  /** Pages that may connect; otherwise none may. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Left out, only this machine reaches it. */
  readonly host?: string | undefined;
  /** Over TLS, with a certificate that is made for this run. */
  readonly tls?: boolean | undefined;
  /** Every session's frames are written down in this folder. */
  readonly record?: string | undefined;
}

export interface ServedGateway {
  readonly url: string;
  /** Of the certificate, by which it can be trusted. */
  readonly fingerprint?: string | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly random: Random;
  readonly pictures: Pictures;
  readonly log: Log;
  readonly lifetime: Lifetime;
}

const thisMachine = '127.0.0.1';

export function composeGateway(deps: Deps): GatewayServices {
  const { clock, log, lifetime } = deps;
  return {
    embeddedGateway: async (options = {}) => {
      const gateway = await open(options, deps);
      if (!gateway.ok) return gateway;
      return { ok: true, value: gatewaySockets(gateway.value, clock) };
    },
    serveGateway: async (options, port, door = {}) => {
      const gateway = await open(options, deps);
      if (!gateway.ok) return gateway;
      const recorded = await recordedGateway(gateway.value, door.record, deps);
      if (!recorded.ok) return recorded;
      const host = door.host ?? thisMachine;
      const tls = door.tls === true ? makeOwnCertificate(host, systemWallClock()) : undefined;
      const { allowedOrigins } = door;
      const served = await serveGateway(recorded.value, { host, port, allowedOrigins, tls, log });
      if (!served.ok) return served;
      lifetime.add(served.value.end, 'the door of the embedded server');
      return { ok: true, value: { url: served.value.url, fingerprint: tls?.fingerprint } };
    },
  };
}

async function recordedGateway(
  gateway: Gateway,
  folder: string | undefined,
  { clock, log }: Deps,
): Promise<Outcome<Gateway>> {
  if (folder === undefined) return { ok: true, value: gateway };
  const logs = await openSessionLogs(folder, new Date(systemWallClock()), log);
  if (!logs.ok) return logs;
  return { ok: true, value: recordGateway(gateway, clock, logs.value) };
}

async function open(options: Partial<GatewayOptions>, deps: Deps): Promise<Outcome<Gateway>> {
  const speech = await loadDemoSpeech(resourcesFolder('speech'));
  if (!speech.ok) return speech;
  const gateway = openGateway(
    { ...defaultGatewayOptions, ...options },
    {
      ...deps,
      wallClock: systemWallClock,
      codec: createServerCodec(bufferBase64),
      speech: speech.value,
    },
  );
  deps.lifetime.add(gateway.end, 'the embedded server');
  return { ok: true, value: gateway };
}
