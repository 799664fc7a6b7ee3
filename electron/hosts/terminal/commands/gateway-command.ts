import { terminalCommand } from '../terminal-command.ts';
import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { Terminal } from '../terminal-command.ts';
import { CommandError, exitCode } from '../exit-code.ts';
import {
  gatewayCommandSpec,
  readGatewayCommandOptions,
} from '../options/gateway-command-options.ts';
import { readGatewayScript } from '../options/read-gateway-script.ts';

/** The gateway that Parley carries, as a server of its own. */
export const gatewayCommand = terminalCommand(
  gatewayCommandSpec,
  async (given, terminal, parley) => {
    const { port, door, json, script, options } = readGatewayCommandOptions(given);
    const faults = script === undefined ? {} : { faults: await readGatewayScript(parley, script) };
    const served = await parley.serveGateway({ ...options, ...faults }, port, door);
    if (!served.ok) throw new CommandError(describeAppError(served.error), exitCode.failed);
    const { url, fingerprint } = served.value;
    const trust =
      fingerprint === undefined ? '' : `\nIts certificate's fingerprint is ${fingerprint}.`;
    const line = json
      ? JSON.stringify({ at: 0, event: 'listening', url, fingerprint })
      : `The gateway listens at ${url}; Ctrl-C ends it.${trust}`;
    terminal.out(`${line}\n`);
    await interrupted(terminal);
    return exitCode.done;
  },
);

function interrupted({ onInterrupt }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    const stop = onInterrupt?.(() => {
      stop?.();
      resolve();
    });
  });
}
