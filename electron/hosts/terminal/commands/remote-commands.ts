import {
  composeRemoteChannel,
  type RemoteAction,
  type replayPrefix,
} from '../../../app/ipc/remote-actions.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { type Terminal, terminalCommand, type TerminalCommand } from '../terminal-command.ts';

const exitCodesHelp = 'Exit: 0 done, 1 refused, 2 wrong usage, 3 Parley is not running';
/** The talk key for desktop shortcuts, pedals and scripts. */
const ptt = terminalCommand(
  {
    name: 'ptt',
    summary: 'press the talk key of the Parley that runs',
    word: {
      name: 'press|release|toggle',
      about: {
        press: 'as if the key went down; it stays down until release',
        release: 'as if it came up',
        toggle: 'on until it comes again, for keys that have no up and down',
      },
      missing: 'ptt needs a word: press, release or toggle.',
    },
    options: {},
    notes: [
      'A key of the system itself can run it, also where no program may watch the keyboard.',
      exitCodesHelp,
    ],
  },
  ({ word }, terminal) => runRemoteCommand(`ptt ${word}`, terminal),
);

/** The setting for links, for set-up scripts. */
const links = terminalCommand(
  {
    name: 'links',
    summary: 'have the system open parley:// links with the Parley that runs, or not',
    word: {
      name: 'on|off|status',
      about: {
        on: 'the desktop app opens them, as with the switch in its settings',
        off: 'it is taken off the system’s list again',
        status: 'prints on or off, as it stands in that list',
      },
      missing: 'links needs a word: on, off or status.',
    },
    options: {},
    notes: [exitCodesHelp],
  },
  ({ word }, terminal) => runRemoteCommand(`links ${word}`, terminal),
);

/** Commands for a running Parley. They need no core, which is slow to load. */
export const remoteCommands: readonly TerminalCommand[] = [
  ptt,
  remoteCommand('interrupt', 'silence the answer that is heard, so that it listens'),
  remoteCommand('mute', 'mute the microphone of its talk; a talk that is muted stays so'),
  remoteCommand('unmute', 'open it again'),
  remoteCommand('pause', 'pause its talk: nothing is sent, and the answer waits'),
  remoteCommand('resume', 'go on with it'),
  remoteCommand('start', 'begin a talk in the Parley that runs'),
  remoteCommand('stop', 'end its talk'),
  remoteCommand('show', 'bring its window to the front'),
  links,
];

function remoteCommand(
  name: Exclude<RemoteAction, `${'ptt' | 'links'} ${string}`>,
  summary: string,
): TerminalCommand {
  return terminalCommand({ name, summary, options: {}, notes: [exitCodesHelp] }, (_, terminal) =>
    runRemoteCommand(name, terminal),
  );
}

/** Sends a command to the running Parley and reports its answer. */
export async function runRemoteCommand(
  words: RemoteAction | `${typeof replayPrefix}${string}`,
  { out, err }: Terminal,
): Promise<ExitCode> {
  const answer = await composeRemoteChannel().ask(words);
  switch (answer.kind) {
    case 'done':
      if (answer.said !== undefined) out(`${answer.said}\n`);
      return exitCode.done;
    case 'nobody':
      err('Parley is not running; open it first.\n');
      return exitCode.outOfReach;
    case 'refused':
    case 'unclear':
      err(`${answer.message}\n`);
      return exitCode.failed;
  }
}
