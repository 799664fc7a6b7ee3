import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Proxies } from '../../shared/ports/sockets.ts';
import { createBackendCodec } from '../gateway/backend.ts';
import { warmUp } from '../model/warm-up.ts';
import { bufferBase64 } from '../platform/system/base64-sha256.ts';
import { prepareCameraPicture } from './machine-bench.ts';
import { loadDefaultVoice, openModelIn } from './model-server.ts';

export interface ModelBench {
  /** Loads the model; resolves to the milliseconds that it took. */
  readonly load: () => Promise<Outcome<number>>;
  /** Measures this many steps of a talk, each with a picture or without. */
  readonly measure: (steps: number, withPicture: boolean) => Promise<Outcome<readonly number[]>>;
}

/** Measures the model on this computer. Its process ends with the lifetime. */
export function openModelBench(
  machine: Parameters<typeof openModelIn>[0],
  proxies: Proxies,
  choice: Parameters<typeof openModelIn>[2],
): ModelBench {
  const { clock } = machine;
  const { server, backend } = openModelIn(machine, proxies, choice);
  return {
    load: async () => {
      const startedAt = clock.now();
      const ready = await server.ready();
      return ready.ok ? { ok: true, value: clock.now() - startedAt } : ready;
    },
    measure: async (steps, withPicture) => {
      const picture = withPicture ? await prepareCameraPicture() : undefined;
      if (picture?.ok === false) return picture;
      const measured = await warmUp(backend, {
        clock,
        codec: createBackendCodec(bufferBase64),
        voice: await loadDefaultVoice(),
        onSign: () => undefined,
        steps,
        picture: picture?.value,
      });
      if (measured.kind === 'warm') return { ok: true, value: measured.stepMs };
      // If the process has ended, its error is the reason.
      const { state } = server;
      return 'error' in state ? { ok: false, error: state.error } : failure('modelStopped');
    },
  };
}
