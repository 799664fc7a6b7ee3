import { afterEach, beforeAll } from 'vitest';
import { type Backend, createBackendCodec } from '../../electron/gateway/backend.ts';
import { GatewayMetrics } from '../../electron/gateway/gateway-metrics.ts';
import {
  defaultGatewayOptions,
  type DemoSpeech,
  type GatewayOptions,
} from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import {
  type GatewayServer,
  serveGateway,
} from '../../electron/platform/gateway/gateway-server.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock, systemWallClock } from '../../electron/platform/system/system-clock.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { seeded } from '../fakes/seeded.ts';
import { unwrap } from '../fakes/unwrap.ts';

/** Gateways with short steps and their servers, which end with the test. */
export function gatewayHarness() {
  let speech: DemoSpeech;
  let servers: GatewayServer[] = [];

  beforeAll(async () => {
    speech = unwrap(await loadDemoSpeech('resources/speech'));
  });

  afterEach(async () => {
    for (const server of servers) await server.end();
    servers = [];
  });

  function makeGateway(options: Partial<GatewayOptions> = {}, backends?: readonly Backend[]) {
    return openGateway(
      { ...defaultGatewayOptions, stepMs: 5, ...options },
      {
        clock: systemClock,
        wallClock: systemWallClock,
        random: seeded(1),
        codec: createServerCodec(bufferBase64),
        pictures: fakePictures(),
        speech,
        backends: backends && {
          servers: backends,
          codec: createBackendCodec(bufferBase64),
          defaultVoice: new Float32Array(16_000),
          metrics: new GatewayMetrics(),
        },
      },
    );
  }

  async function serve(
    options: Partial<GatewayOptions> = {},
    log = new FakeLog(),
    allowedOrigins?: readonly string[],
    backends?: readonly Backend[],
  ): Promise<string> {
    const gateway = makeGateway(options, backends);
    const served = unwrap(await serveGateway(gateway, { port: 0, allowedOrigins, log }));
    servers.push(served);
    return served.url;
  }

  return {
    makeGateway,
    serve,
    /** Serves a gateway in front of model servers. */
    serveBackends: (backends: readonly Backend[], options: Partial<GatewayOptions> = {}) =>
      serve(options, undefined, undefined, backends),
    speech: () => speech,
    /** The first server; the caller ends it. */
    takeServer: () => servers.shift(),
  };
}
