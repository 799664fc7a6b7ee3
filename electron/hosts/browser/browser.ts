import { fileURLToPath } from 'node:url';
import { composeParley } from '../../core/compose-parley.ts';
import type { Parley } from '../../core/compose-parley.ts';
import { processOutput } from '../../core/process-output.ts';
import type { Log } from '../../ports/log.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { forkPictureProcess } from '../fork-picture-process.ts';
import { forkSoundProbe } from '../fork-sound-probe.ts';
import { version } from '../version.ts';
import { endInTime, killIfStuck } from '../end-in-time.ts';
import { endWithStarter } from '../end-with-starter.ts';
import { exitIfHeld } from '../exit-if-held.ts';
import { readBrowserOptions } from './browser-options.ts';
import type { BrowserOptions } from './browser-options.ts';
import { PageDownloads } from './page-downloads.ts';
import { openBrowserHost } from './server.ts';

type Options = Extract<BrowserOptions, { kind: 'options' }>;

/** Runs the browser host until it is stopped; the returned number is the exit code. */
export async function runBrowserHost(
  args: readonly string[],
  log: Log,
  opened: () => void,
): Promise<number> {
  const options = readBrowserOptions(args);
  if (options.kind === 'usage') {
    processOutput.err(`${options.problem}\n`);
    return 2;
  }
  const signalled = untilSignalled();
  const downloads = new PageDownloads();
  const parley = composeParley('browser', version, log, {
    saveWay: downloads.way,
    startPictureProcess: forkPictureProcess(
      fileURLToPath(new URL('picture-process.js', import.meta.url)),
    ),
    startSoundProbe: forkSoundProbe(fileURLToPath(new URL('probe-sound.js', import.meta.url))),
  });
  try {
    const address = await Promise.race([openPage(parley, options, downloads), signalled]);
    // Asked to end while it opened: what is open by now is closed like all else.
    if (address === 'signalled') return 0;
    parley.begin();
    processOutput.out(`Parley is open in the browser at ${address}\n`);
    opened();
    await signalled;
    return 0;
  } catch (error) {
    processOutput.err(`${describeError(error)}\n`);
    return 1;
  } finally {
    killIfStuck();
    await endInTime(parley.lifetime, log);
    exitIfHeld(log);
  }
}

async function openPage(
  parley: Parley,
  options: Options,
  downloads: PageDownloads,
): Promise<string> {
  try {
    return await openBrowserHost(parley, {
      ...options,
      downloads,
      pagesFolder: fileURLToPath(new URL('../renderer', import.meta.url)),
      devToken: options.devPage && process.env['PARLEY_DEV_TOKEN'],
    });
  } catch (error) {
    const remedy = remedies[String(codeOf(error))];
    if (remedy === undefined) throw error;
    throw new Error(`Port ${options.port} ${remedy}`, { cause: error });
  }
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'is not for ordinary users: choose one above 1023 with --port.',
  EADDRINUSE: 'is taken by another program: choose another with --port, or leave --port out.',
};

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/**
 * Resolves at the first request to end; a second one ends the process as the system does. To be called before anything is
 * opened: until then a signal ends the process at once, and nothing is closed or written.
 */
function untilSignalled(): Promise<'signalled'> {
  return new Promise((resolve) => {
    endWithStarter(() => {
      resolve('signalled');
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve('signalled');
      });
    }
  });
}
