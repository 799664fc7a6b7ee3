import { parseArgs } from 'node:util';
import { describeError } from '../../../shared/describe-error.ts';

/** Easy to remember and free on most machines; when it is taken, any free port will do. */
const defaultPort = 8127;

/** What the command line of the browser host says, or why it is wrong. */
export type BrowserOptions =
  | { readonly kind: 'usage'; readonly problem: string }
  | {
      readonly kind: 'options';
      readonly address: string;
      readonly port: number;
      /** True when the person chose the port: then another one is no substitute. */
      readonly portIsFixed: boolean;
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
    return { kind: 'options', address, port, portIsFixed: values.port !== undefined, devPage };
  } catch (error) {
    return usage(describeError(error));
  }
}

function usage(problem: string): BrowserOptions {
  return { kind: 'usage', problem };
}
