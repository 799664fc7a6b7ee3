import { parseArgs } from 'node:util';
import { describeError } from '../../../shared/describe-error.ts';

/**
 * Any that is free, another one each time: a browser remembers by the address who was given the camera, and
 * at a port that is always the same it would give it to whatever program listens there next.
 */
const defaultPort = 0;

/** What the command line of the browser host says, or why it is wrong. */
export type BrowserOptions =
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
      return usage(`--dev-renderer takes the address of a dev server on this machine.`);
    }
    return { kind: 'options', address, port, devPage };
  } catch (error) {
    return usage(describeError(error));
  }
}

function usage(problem: string): BrowserOptions {
  return { kind: 'usage', problem };
}
