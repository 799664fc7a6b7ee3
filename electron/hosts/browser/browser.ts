import { fileURLToPath } from 'node:url';
import { composeParley } from '../../core/compose-parley.ts';
import type { Parley } from '../../core/compose-parley.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { forkPictureProcess } from '../fork-picture-process.ts';
import { version } from '../version.ts';
import { readBrowserOptions } from './browser-options.ts';
import type { BrowserOptions } from './browser-options.ts';
import { openBrowserHost } from './server.ts';

type Options = Extract<BrowserOptions, { kind: 'options' }>;

/** Runs the browser host until it is stopped; the returned number is the exit code. */
export async function runBrowserHost(args: readonly string[]): Promise<number> {
  const options = readBrowserOptions(args);
  if (options.kind === 'usage') {
    process.stderr.write(`${options.problem}\n`);
    return 2;
  }
  const parley = composeParley('browser', version, undefined, {
    startPictureProcess: forkPictureProcess(
      fileURLToPath(new URL('picture-process.js', import.meta.url)),
    ),
  });
  try {
    const address = await openAtFreePort(parley, options);
    parley.begin();
    process.stdout.write(`Parley is open in the browser at ${address}\n`);
    await untilSignalled();
    return 0;
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`);
    return 1;
  } finally {
    await parley.lifetime.end();
  }
}

async function openAtFreePort(parley: Parley, options: Options): Promise<string> {
  const pagesFolder = fileURLToPath(new URL('../renderer', import.meta.url));
  const open = (port: number): Promise<string> =>
    openBrowserHost(parley, {
      ...options,
      pagesFolder,
      port,
      devToken: options.devPage && process.env['PARLEY_DEV_TOKEN'],
    });
  try {
    return await open(options.port);
  } catch (error) {
    if (codeOf(error) === 'EACCES') {
      throw new Error(
        `Port ${options.port} is not for ordinary users: choose one above 1023 with --port.`,
        { cause: error },
      );
    }
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    if (options.portIsFixed) {
      throw new Error(
        `Port ${options.port} is taken by another program: choose another with --port, ` +
          'or leave --port out.',
        { cause: error },
      );
    }
    process.stderr.write(`Port ${options.port} is taken, so Parley takes a free one.\n`);
    return open(0);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve();
      });
    }
  });
}
