import {
  failure,
  type Outcome,
  describeError,
  errorCode,
} from '../../../shared/errors/app-error.ts';
import { stripControlCharacters } from '../../../shared/text.ts';
import type { HostProcesses } from '../../../shared/ports/child-process.ts';
import { processOutput } from '../../app/process-output.ts';
import { forkedProcesses } from '../fork-child.ts';
import {
  exitCode,
  type OnInterrupt,
  type Screen,
  type Terminal,
  CommandError,
  type ExitCode,
  UsageError,
  type TerminalCommand,
  type TerminalCore,
  terminalCore,
} from './terminal-command.ts';
import { type LineInput, PipedLines, TypedLines } from './line-input.ts';
import { processKeys, TypedKeys } from './typed-keys.ts';
import type { Parley } from '../../app/parley.ts';
import { composeLog } from '../../app/process-log.ts';
import { version } from '../build-info.ts';
import { guardProcess, printToStderr, couldNotStart } from '../guard-process.ts';
import { commands, loadSpecs } from './command-table.ts';
import { nearestName } from './nearest-name.ts';
import { commandHelp, helpText } from './views/command-help.ts';

/** Fits a whole document. Guards against binary input. */
const maxPipedBytes = 4 * 1024 * 1024;

/** How long sessions may take to close. */
const maxEndMs = 5000;

/** The terminal of this process. A package, which runs in Electron, passes another way to start child processes. */
export function processTerminal(processes: HostProcesses = forkedProcesses): Terminal {
  const interrupts = new Set<OnInterrupt>();
  processOutput.onOutClosed(() => endWithoutReader(interrupts));
  const screen = screenOf(process.stdout, process.env);
  return {
    out: processOutput.out,
    // Messages may quote servers, devices and files, so control characters are removed.
    err: (text) => processOutput.err(stripControlCharacters(text)),
    screen,
    openKeys: screen && openKeysOf(process.stdin),
    processes,
    environmentToken: () => process.env['PARLEY_TOKEN'],
    readIn: () => readAll(process.stdin),
    openLines: openLineInput,
    onInterrupt: (listener) => {
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
      interrupts.add(listener);
      return () => {
        interrupts.delete(listener);
        process.off('SIGINT', listener);
        process.off('SIGTERM', listener);
      };
    },
  };
}

/** Opens line input. If a user can see it, there is a prompt, on stderr because stdout carries the answers. */
function openLineInput(onInterrupt: () => void): LineInput {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return new PipedLines(stdin);
  const screen = {
    write: processOutput.err,
    columns: () => stderr.columns,
    onResize: (listener: () => void) => stderr.on('resize', listener),
  };
  return new TypedLines(stdin, screen, onInterrupt);
}

/**
 * Ends the command because nobody reads stdout any more (`| head`): sessions end as after Ctrl-C, and anything else ends
 * at once and silently, as filters do.
 */
function endWithoutReader(interrupts: ReadonlySet<OnInterrupt>): void {
  // Node also closes stdout after an error such as a full disk, which the exit code then reports.
  if (interrupts.size === 0) process.exit(codeAfterOutput(exitCode.done));
  for (const interrupt of interrupts) interrupt('SIGPIPE');
  setTimeout(() => process.exit(codeAfterOutput(exitCode.done)), maxEndMs).unref();
}

/** Reports output that could not be written, and returns the exit code. */
function codeAfterOutput(code: number): number {
  const error = processOutput.outError();
  if (error === undefined) return code;
  const reason = errorCode(error) === 'ENOSPC' ? 'the disk is full' : describeError(error);
  printToStderr(`The output could not be written completely: ${reason}.`);
  return code === exitCode.done ? exitCode.failed : code;
}

/** Opens single-key input. Undefined without a user at the keyboard, or if stdin was read to its end, for example for a token. */
function openKeysOf(stdin: NodeJS.ReadStream): Terminal['openKeys'] {
  if (!stdin.isTTY) return undefined;
  return (onKey) => {
    if (stdin.readableEnded || stdin.destroyed) return undefined;
    return new TypedKeys(processKeys(stdin), onKey).close;
  };
}

function screenOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv,
): Screen | undefined {
  // A dumb terminal cannot rewrite a line, so it gets plain output like a pipe.
  if (stream.isTTY !== true || env['TERM'] === 'dumb') return undefined;
  // https://no-color.org: any value that is not empty turns colours off.
  const colours = (env['NO_COLOR'] ?? '') === '';
  return { columns: () => stream.columns ?? 80, colours };
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<Outcome<string>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    const buffer = Buffer.from(part);
    bytes += buffer.length;
    if (bytes > maxPipedBytes) return failure('stdinTooLong');
    parts.push(buffer);
  }
  return { ok: true, value: Buffer.concat(parts).toString() };
}

/** Runs one `parley` command and returns its exit code. */
export async function runTerminal(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === '--version') {
    terminal.out(`${version}\n`);
    return exitCode.done;
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    terminal.out(helpText(version, await loadSpecs(), helpColumns(terminal)));
    return exitCode.done;
  }
  const load = commands.get(first);
  if (load !== undefined) return runCommand(await load().catch(failToLoad), rest, terminal);
  const suggestion = nearestName(first, [...commands.keys()]);
  const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  terminal.err(`Unknown command "${first}".${hint} "parley --help" lists all commands.\n`);
  return exitCode.wrongUsage;
}

async function runCommand(
  { spec, run }: TerminalCommand,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (args.includes('--help')) {
    terminal.out(commandHelp(spec, helpColumns(terminal)));
    return exitCode.done;
  }
  const core = new CommandCore(terminal);
  try {
    try {
      return await run(args, terminal, core.open);
    } finally {
      await core.end();
    }
  } catch (error) {
    terminal.err(`${describeError(error)}\n`);
    if (error instanceof UsageError) {
      terminal.err(`"parley ${spec.name} --help" shows its options.\n`);
    }
    return error instanceof CommandError ? error.code : exitCode.failed;
  }
}

/** Loads the core only if a command opens it, because a press of the talk key must be fast. */
class CommandCore {
  readonly #terminal: Terminal;
  #parley: Parley | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  readonly open = async (): Promise<TerminalCore> => {
    const { openParley } = await import('../../app/parley.ts').catch(failToLoad);
    const { processes } = this.#terminal;
    this.#parley = openParley('terminal', version, undefined, { processes });
    return terminalCore(this.#parley);
  };

  async end(): Promise<void> {
    await this.#parley?.lifetime.end();
  }
}

/** Reports a failed import, because a package may be damaged. */
function failToLoad(error: unknown): never {
  throw new CommandError(couldNotStart(error), exitCode.failed, { cause: error });
}

/** Runs one command with this process's streams and signals and returns its exit code. */
export async function runInProcess(
  words: readonly string[],
  processes?: HostProcesses,
): Promise<number> {
  guardProcess({ log: composeLog(), end: printToStderr, isLongRunning: false });
  const code = await runTerminal(words, processTerminal(processes));
  // A failed write is reported in the next turn of the event loop.
  await new Promise(setImmediate);
  return codeAfterOutput(code);
}

/** The width for a help text; undefined without a terminal, and in one that does not know its width and says 0. */
function helpColumns({ screen }: Terminal): number | undefined {
  const columns = screen?.columns() ?? 0;
  return columns > 0 ? columns : undefined;
}
