import type { Command, Terminal } from './command.ts';
import { CommandError } from './command.ts';
import { exitCode } from './exit-code.ts';
import { gatewayDetails, gatewayUsage, readGatewayOptions } from './gateway-options.ts';
import { readScript } from './gateway-script.ts';

/** The gateway that Parley carries, as a server of its own. */
export const gateway: Command = {
  name: 'gateway',
  summary: 'run a MiniCPM-o gateway for demonstrations and tests',
  usage: gatewayUsage,
  details: gatewayDetails,
  run: async (args, terminal, parley) => {
    const { port, json, script, options } = readGatewayOptions(args);
    const faults = script === undefined ? {} : { faults: await readScript(parley, script) };
    const served = await parley.serveGateway({ ...options, ...faults }, port);
    if (!served.ok) throw new CommandError(served.problem, exitCode.failed);
    const { url } = served.value;
    const told = json
      ? JSON.stringify({ at: 0, event: 'listening', url })
      : `The gateway listens at ${url}; Ctrl-C ends it.`;
    terminal.out(`${told}\n`);
    await interrupted(terminal);
    return exitCode.done;
  },
};

function interrupted({ onInterrupt }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    const stop = onInterrupt?.(() => {
      stop?.();
      resolve();
    });
  });
}
