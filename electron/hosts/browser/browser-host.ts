import { parseArgs } from 'node:util';
import { describeError, errorCode } from '../../../shared/errors/app-error.ts';
import type { Log } from '../../../shared/ports/log.ts';
import { openParley, type Parley } from '../../app/parley.ts';
import { processOutput } from '../../app/process-output.ts';
import { builtFile, version } from '../build-info.ts';
import { forkedProcesses } from '../fork-child.ts';
import { endInTime, endWithStarter, exitIfAlive, killIfStuck } from '../process-shutdown.ts';
import { PageDownloads } from './page-downloads.ts';
import { openBrowserHost } from './page-server.ts';

type Options = Extract<BrowserOptions, { kind: 'options' }>;

/** Runs the browser host until it is stopped, and returns the exit code. */
export async function runBrowserHost(
  args: readonly string[],
  log: Log,
  onOpen: () => void,
): Promise<number> {
  const options = readBrowserOptions(args);
  if (options.kind === 'usage') {
    processOutput.err(`${options.problem}\n`);
    return 2;
  }
  const signal = waitForSignal();
  const downloads = new PageDownloads();
  const parley = openParley('browser', version, log, {
    saveMethod: downloads.saveMethod,
    processes: forkedProcesses,
  });
  try {
    const address = await Promise.race([openPage(parley, options, downloads), signal]);
    // The signal came before the page was open. `finally` closes what is open.
    if (address === 'signalled') return 0;
    parley.begin();
    processOutput.out(`Parley is open in the browser at ${address}\n`);
    onOpen();
    await signal;
    return 0;
  } catch (error) {
    processOutput.err(`${describeError(error)}\n`);
    return 1;
  } finally {
    killIfStuck();
    await endInTime(parley.lifetime, log);
    exitIfAlive(log);
  }
}

async function openPage(
  parley: Parley,
  options: Options,
  downloads: PageDownloads,
): Promise<string> {
  try {
    return await openBrowserHost(parley, {
      address: options.address,
      port: options.port,
      devPage: options.devPage,
      downloads,
      pagesFolder: builtFile('../renderer'),
      devToken: options.devPage && process.env['PARLEY_DEV_TOKEN'],
    });
  } catch (error) {
    const remedy = remedies[errorCode(error)];
    if (remedy === undefined) throw error;
    throw new Error(`Port ${options.port} ${remedy}`, { cause: error });
  }
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'needs administrator rights: choose a port above 1023 with --port.',
  EADDRINUSE: 'is in use by another program: choose another port with --port, or omit --port.',
};

/**
 * Resolves at the first signal; a second one ends the process. Call it before anything is opened, because until
 * then a signal ends the process at once.
 */
function waitForSignal(): Promise<'signalled'> {
  return new Promise((resolve) => {
    endWithStarter(() => resolve('signalled'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => resolve('signalled'));
    }
  });
}

/**
 * 0 means any free port. A browser grants the camera per address, so a fixed port would pass the grant on to the next
 * program that listens there.
 */
const defaultPort = 0;

type BrowserOptions =
  | { readonly kind: 'usage'; readonly problem: string }
  | {
      readonly kind: 'options';
      readonly address: string;
      readonly port: number;
      readonly devPage: string | undefined;
    };

export function readBrowserOptions(args: readonly string[]): BrowserOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        address: { type: 'string', default: '127.0.0.1' },
        'dev-renderer': { type: 'string' },
      },
    });
    const port = values.port === undefined ? defaultPort : Number(values.port);
    if (values.port === '' || !Number.isInteger(port) || port < 0 || port > 65_535) {
      return usage(`--port takes a number from 0 to 65535, not "${values.port}".`);
    }
    const { address, 'dev-renderer': devPage } = values;
    if (devPage !== undefined && !/^http:\/\/(127\.0\.0\.1|localhost):\d+$/.test(devPage)) {
      return usage(`--dev-renderer takes the address of a development server on this machine.`);
    }
    return { kind: 'options', address, port, devPage };
  } catch (error) {
    return usage(describeError(error));
  }
}

function usage(problem: string): BrowserOptions {
  return { kind: 'usage', problem };
}
