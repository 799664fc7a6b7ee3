import { resolve } from 'node:path';
import { composeRemoteChannel } from '../../../core/compose-remote.ts';
import { replayWord } from '../../../ipc/remote-actions.ts';
import { exitCode } from '../exit-code.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal-command.ts';

/** Has a tape shown by the Parley that runs; a path is that of where the command was given. */
export async function replayInWindow(
  path: string,
  { err }: Pick<Terminal, 'err'>,
): Promise<ExitCode> {
  const answer = await composeRemoteChannel().ask(`${replayWord}${JSON.stringify(resolve(path))}`);
  if (answer.kind === 'done') return exitCode.done;
  if (answer.kind === 'nobody') {
    err('Parley is not running; open it first.\n');
    return exitCode.outOfReach;
  }
  err(`${answer.message}\n`);
  return exitCode.failed;
}
