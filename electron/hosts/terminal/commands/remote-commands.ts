import {
  composeRemoteChannel,
  askPrefix,
  type RemoteAction,
  type replayPrefix,
} from '../../../app/ipc/remote-actions.ts';
import {
  exitCode,
  type ExitCode,
  type Terminal,
  terminalCommand,
  type TerminalCommand,
} from '../terminal-command.ts';

/** A command to the running Parley is a line of at most 8192 characters. */
const maxQuestionJson = 8192 - askPrefix.length;
/** A longer question is cut to this many characters, because JSON may write one character as six. */
const maxQuestion = 1300;

const exitCodesHelp = 'Exit: 0 done, 1 refused, 2 wrong usage, 3 Parley is not running';
/** Presses the talk key, for desktop shortcuts, pedals and scripts. */
const ptt = terminalCommand(
  {
    name: 'ptt',
    summary: 'press or release the talk key',
    word: {
      name: 'press|release|toggle',
      about: {
        press: 'holds the talk key down until release',
        release: 'lets the talk key go',
        toggle: 'switches between press and release, for shortcuts that only report a press',
      },
      missing: 'Name an action: parley ptt press, release or toggle.',
    },
    options: {},
    notes: [
      'Bind it to a system shortcut if Parley cannot receive keys from other programs.',
      exitCodesHelp,
    ],
  },
  ({ word }, terminal) => runRemoteCommand(`ptt ${word}`, terminal),
);

/** Registers Parley for links, for scripts that set up a computer. */
const links = terminalCommand(
  {
    name: 'links',
    summary: 'register or unregister Parley as the program that opens parley:// links',
    word: {
      name: 'on|off|status',
      about: {
        on: 'opens links with the desktop app, like the switch in its settings',
        off: 'removes the registration',
        status: 'prints whether Parley is registered: on or off',
      },
      missing: 'Name an action: parley links on, off or status.',
    },
    options: {},
    notes: [exitCodesHelp],
  },
  ({ word }, terminal) => runRemoteCommand(`links ${word}`, terminal),
);

const ask = terminalCommand(
  {
    name: 'ask',
    summary: 'open the small window over the program in front',
    word: {
      name: 'TEXT',
      about: 'the question to begin with; optional',
      missing: '',
      optional: true,
    },
    options: {},
    notes: [
      'It offers the selected text and the clipboard, and sends nothing before Enter.',
      exitCodesHelp,
    ],
  },
  ({ word = '' }, terminal) => {
    const json = JSON.stringify(word);
    if (json.length <= maxQuestionJson) return runRemoteCommand(`${askPrefix}${json}`, terminal);
    terminal.err(`The question is too long: only its first ${maxQuestion} characters are used.\n`);
    return runRemoteCommand(`${askPrefix}${JSON.stringify(word.slice(0, maxQuestion))}`, terminal);
  },
);

/** Commands for a running Parley. They do not load the core, which would be slow. */
export const remoteCommands: readonly TerminalCommand[] = [
  ptt,
  ask,
  remoteCommand('interrupt', 'stop the current answer, so that the model listens'),
  remoteCommand('mute', 'mute the microphone'),
  remoteCommand('unmute', 'unmute the microphone'),
  remoteCommand(
    'pause',
    'pause the talk: nothing is sent; an answer that has arrived plays to its end',
  ),
  remoteCommand('resume', 'resume the talk'),
  remoteCommand('start', 'start a talk'),
  remoteCommand('stop', 'end the talk'),
  remoteCommand('show', 'bring the window to the front'),
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
  words: RemoteAction | `${typeof replayPrefix | typeof askPrefix}${string}`,
  { out, err }: Terminal,
): Promise<ExitCode> {
  const answer = await composeRemoteChannel().ask(words);
  switch (answer.kind) {
    case 'done':
      if (answer.output !== undefined) out(`${answer.output}\n`);
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
