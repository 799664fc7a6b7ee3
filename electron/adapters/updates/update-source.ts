import { removePath } from '../files/remove-path.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { Proxies } from '../../ports/proxies.ts';
import type { RunningUpdateStep, UpdateSource } from '../../ports/updates.ts';
import { fetchUpdate } from './fetch-update.ts';
import type { UpdatePatience } from './fetch-update.ts';
import { readSignedFeed } from './signed-feed.ts';
import { UpdateError } from './update-request.ts';
import type { UpdateSettings } from './update-settings.ts';

interface Place {
  /** Where files are until they are unpacked. */
  readonly folder: string;
  /** As electron-builder calls the feed of this system. */
  readonly feedName: string;
  /** The ways there; none but the straight one where they are left out. */
  readonly proxies?: Proxies | undefined;
  readonly patience?: UpdatePatience & { readonly feedMs: number };
}

const defaultPatience = { idleMs: 30_000, windowMs: 60_000, minBytes: 64 * 1024, feedMs: 60_000 };

/** Updates from the one server that the build names. */
export function createUpdateSource(settings: UpdateSettings, place: Place): UpdateSource {
  const { folder, feedName, proxies, patience = defaultPatience } = place;
  const { feed } = settings;
  const { host } = feed;
  return {
    host,
    describe: () =>
      stoppable((signal, stop) => {
        const late = setTimeout(() => {
          stop(new UpdateError(appError('updateServerSlow', { host })));
        }, patience.feedMs);
        const way = { idleMs: patience.idleMs, signal, proxies };
        return readSignedFeed(settings, feedName, way).finally(() => {
          clearTimeout(late);
        });
      }, host),
    fetch: (offer, part) =>
      stoppable(
        (signal) => fetchUpdate({ feed, folder, offer, patience, signal, part, proxies }),
        host,
      ),
    clear: () => removePath(folder),
  };
}

function stoppable<Value>(
  run: (signal: AbortSignal, stop: (why: unknown) => void) => Promise<Value>,
  host: string,
): RunningUpdateStep<Value> {
  const control = new AbortController();
  const stop = (why?: unknown): void => {
    control.abort(why);
  };
  const done = run(control.signal, stop).then(
    (value): Outcome<Value> => ({ ok: true, value }),
    (error: unknown): Outcome<Value> => {
      const reason: unknown = control.signal.reason;
      if (reason instanceof UpdateError) return { ok: false, error: reason.error };
      if (error instanceof UpdateError) return { ok: false, error: error.error };
      return {
        ok: false,
        error: appError('updateServerAway', { host }, { detail: describeError(error) }),
      };
    },
  );
  return {
    done,
    stop: () => {
      stop();
    },
  };
}
