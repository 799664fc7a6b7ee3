import { parseArgs } from 'node:util';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { HostProcesses } from '../../../shared/ports/child-process.ts';
import type { OpenLineInput } from './line-input.ts';
import type {
  CommandArguments,
  CommandSpec,
  NumberRange,
  OptionSpec,
  WordSpec,
} from './options/command-spec.ts';
import type { OpenKeys } from './typed-keys.ts';
import { nearestName } from './nearest-name.ts';
import type { BackendAddress } from '../../app/model-server.ts';
import type { Parley } from '../../app/parley.ts';

/** Exit codes of `parley`; scripts rely on them. */
export const exitCode = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  outOfReach: 3,
  noDevice: 4,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly code: ExitCode;

  constructor(message: string, code: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Wrong usage: shown with a hint to the command's help. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, exitCode.wrongUsage, options);
  }
}

/** Input and output of a command. Results go to `out`, and all other texts to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The screen that shows `out`. Undefined for a pipe or a file. */
  readonly screen?: Screen | undefined;
  /** How to start the core's child processes. */
  readonly processes?: HostProcesses | undefined;
  /** The token in the environment, for servers given by address. */
  readonly environmentToken?: (() => string | undefined) | undefined;
  readonly readIn?: (() => Promise<Outcome<string>>) | undefined;
  /** Opens line input, typed at a prompt or piped. */
  readonly openLines?: OpenLineInput | undefined;
  /** Opens single-key input. Undefined if no user is at the keyboard. */
  readonly openKeys?: OpenKeys | undefined;
  /** Calls back on each Ctrl-C or SIGTERM, and if stdout is closed. Returns a function that stops this. */
  readonly onInterrupt?: ((listener: OnInterrupt) => () => void) | undefined;
}

/** The signal is SIGPIPE if the reader of stdout is gone, and none if the user pressed another key than Ctrl-C. */
export type OnInterrupt = (signal?: 'SIGINT' | 'SIGTERM' | 'SIGPIPE') => void;

export interface Screen {
  /** A function, because users resize terminals. */
  readonly columns: () => number;
  readonly colours: boolean;
}

/** Opens the core, which takes time to load. `Core` is the part that a command needs. */
export type OpenCore<Core = TerminalCore> = () => Core | Promise<Core>;

/** Opens the core for a command that needs only these parts of it. */
export type OpenParts<Part extends keyof TerminalCore> = OpenCore<Pick<TerminalCore, Part>>;

export interface TerminalCommand<Core = TerminalCore> {
  readonly spec: CommandSpec;
  readonly run: (
    args: readonly string[],
    terminal: Terminal,
    openCore: OpenCore<Core>,
  ) => Promise<ExitCode>;
}

/** Makes a command of a spec and a function that gets the parsed arguments. */
export function terminalCommand<const Spec extends CommandSpec, Core = TerminalCore>(
  spec: Spec,
  run: (
    given: CommandArguments<Spec>,
    terminal: Terminal,
    openCore: OpenCore<Core>,
  ) => Promise<ExitCode>,
): TerminalCommand<Core> {
  return {
    spec,
    run: async (args, terminal, openCore) => run(readArguments(spec, args), terminal, openCore),
  };
}

/** The values of each option, in order. An option without a value has `true`. */
type Given = ReadonlyMap<string, readonly (string | true)[]>;

/** Parses a command's arguments, or throws a usage error. */
export function readArguments<const Spec extends CommandSpec>(
  spec: Spec,
  args: readonly string[],
): CommandArguments<Spec> {
  const { given, words } = collect(spec.options, args);
  const extra = words[[spec.word, spec.object].filter((word) => word !== undefined).length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`);
  const options = Object.entries(spec.options);
  const values = options.map(
    ([name, option]) => [camelCase(name), readOption(name, option, given.get(name) ?? [])] as const,
  );
  for (const [name, option] of options) checkDependencies(name, option, given);
  const [word, object] = [spec.word, spec.object].map((wordSpec, index) =>
    wordSpec === undefined ? undefined : readWord(spec, wordSpec, words[index], given),
  );
  return { word, object, options: Object.fromEntries(values) } as CommandArguments<Spec>;
}

function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function collect(
  options: CommandSpec['options'],
  args: readonly string[],
): { readonly given: Given; readonly words: readonly string[] } {
  const types = Object.entries(options).map(([name, { value, alone }]) => {
    const type: 'boolean' | 'string' = value === undefined || alone === true ? 'boolean' : 'string';
    return [name, { type }] as const;
  });
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, readonly (string | true)[]>();
  const words: string[] = [];
  /**
   * The option before this token, if its value is optional. `parseArgs` has no such options, so the value comes as a
   * positional argument. Commands with these options have no positional arguments.
   */
  let optionAlone: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (optionAlone !== undefined && token.value !== '-') given.set(optionAlone, [token.value]);
      else words.push(token.value);
    }
    optionAlone = undefined;
    if (token.kind !== 'option') continue;
    const { name } = token;
    const value = givenValue(token, options);
    given.set(name, [...(given.get(name) ?? []), value]);
    if (value === true) optionAlone = options[name]?.alone === true ? name : undefined;
  }
  return { given, words };
}

interface OptionToken {
  readonly name: string;
  /** The name as the user typed it, with dashes. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Whether the value follows an equals sign. */
  readonly inlineValue: boolean | undefined;
}

function givenValue(
  { name, rawName, value, inlineValue }: OptionToken,
  options: CommandSpec['options'],
): string | true {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const suggestion = nearestName(name, Object.keys(options));
    throw new UsageError(
      `Unknown option ${rawName}${suggestion === undefined ? '.' : `; did you mean --${suggestion}?`}`,
    );
  }
  if (value === undefined) {
    if (option.value === undefined || option.alone === true) return true;
    throw new UsageError(`${rawName} needs a value.`);
  }
  if (option.value === undefined) throw new UsageError(`${rawName} takes no value.`);
  if (option.filled === true && value === '')
    throw new UsageError(`${rawName} needs a value, and not an empty one.`);
  // An empty shell variable must not select the default device.
  if (option.alone === true && value === '')
    throw new UsageError(
      `${rawName}= needs a name; ${rawName} alone selects the system's default.`,
    );
  if (inlineValue === false && value.startsWith('-') && value !== '-')
    throw new UsageError(
      `${rawName} needs a value; write a value that begins with a dash as ${rawName}=-….`,
    );
  return value;
}

function readOption(name: string, option: OptionSpec, given: readonly (string | true)[]): unknown {
  if (option.value === undefined) return given.length > 0;
  const values = given.map((text) => (text === true ? text : readValue(`--${name}`, option, text)));
  return option.many === true ? values : values.at(-1);
}

function readValue(option: string, { choices, range, read }: OptionSpec, text: string): unknown {
  if (choices !== undefined) return readChoice(option, text, choices);
  if (range !== undefined) return readNumber(option, text, range);
  return read === undefined ? text : read(text);
}

function checkDependencies(name: string, option: OptionSpec, given: Given): void {
  const { needs, instead, required, choices = [] } = option;
  if (!given.has(name)) {
    if (required !== true || choices.length === 0) return;
    throw new UsageError(`Give ${listOfChoices(choices.map((choice) => `--${name} ${choice}`))}.`);
  }
  if (needs !== undefined && !given.has(needs)) {
    throw new UsageError(`--${name} requires --${needs}.`);
  }
  if (instead !== undefined && given.has(instead)) {
    throw new UsageError(`Give either --${instead} or --${name}, not both.`);
  }
}

function readWord(
  { name: command }: CommandSpec,
  { name, about, missing, optional, orOption }: WordSpec,
  word: string | undefined,
  given: Given,
): string | undefined {
  const isReplaced = orOption !== undefined && given.has(orOption);
  if (word !== undefined && isReplaced)
    throw new UsageError(`Give either ${name} or --${orOption}, not both.`);
  if (word === undefined && (isReplaced || optional === true)) return undefined;
  if (word === undefined) throw new UsageError(missing);
  if (typeof about === 'string' || Object.hasOwn(about, word)) return word;
  throw new UsageError(`${command} takes ${listOfChoices(Object.keys(about))}, not "${word}".`);
}

/** Parses a number, or throws a usage error with the option and its range. */
export function readNumber(option: string, text: string, range: NumberRange): number {
  const { min, max, integer = false } = range;
  const number = Number(text);
  const isPlain = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text);
  const isInRange = isPlain && number >= min && number <= max;
  if (isInRange && (!integer || Number.isInteger(number))) return number;
  const kind = integer ? 'a whole number' : 'a number';
  throw new UsageError(`${option} takes ${kind} from ${min} to ${max}, not "${text}".`);
}

function readChoice<const Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const match = choices.find((choice) => choice === text);
  if (match !== undefined) return match;
  throw new UsageError(`${option} takes ${listOfChoices(choices)}, not "${text}".`);
}

function listOfChoices(choices: readonly string[]): string {
  const last = choices.at(-1) ?? '';
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`;
}

/** The core's parts that commands use, flat, so that each command and test picks what it needs. */
export type TerminalCore = ReturnType<typeof terminalCore>;

export function terminalCore(parley: Parley) {
  const { about, answer, machine, servers, audio, tapes, recordings } = parley;
  return {
    about,
    answer,
    clock: machine.clock,
    files: machine.files,
    notices: machine.notices,
    pictures: machine.pictures,
    random: machine.random,

    settings: servers.settings,
    endpoints: servers.endpoints,
    connectTo: servers.connectTo,
    serverCodec: servers.serverCodec,
    embeddedGateway: servers.gateway.open,
    serveGateway: servers.gateway.serve,
    computerModel: servers.model,
    openSession: servers.sessions.openSession,
    openWrittenSession: servers.sessions.openWrittenSession,
    openConversation: servers.sessions.openConversation,
    dictationPrompts: servers.texts.dictationPrompts,
    carryOverMessages: servers.texts.carryOverMessages,
    presetMessages: servers.texts.presetMessages,
    transcriptWords: servers.texts.transcriptWords,

    sound: audio.driver,
    openSpeaker: audio.devices.openSpeaker,
    openMicrophone: audio.devices.openMicrophone,
    roomPhrase: audio.roomPhrase,

    openTape: tapes.archive.openTape,
    loadTapeAt: tapes.archive.loadTapeAt,
    tapeTools: async () => {
      const { openTapeTools } = await import('../../app/recordings-composition.ts');
      return openTapeTools(machine, servers, tapes);
    },
    openExport: tapes.exports.openExport,
    history: recordings.library,
    openModelFiles: async (folder?: string) => {
      const { openModelFiles } = await import('../../app/open-model-files.ts');
      const { model } = servers.settings.get();
      return openModelFiles(machine, servers.proxy.proxies(), folder ?? model.folder);
    },
    connectBackends: async (addresses: readonly BackendAddress[]) => {
      const { connectBackends } = await import('../../app/model-server.ts');
      return connectBackends(addresses);
    },
    /** Runs the model in this folder. An empty `program` means that Parley looks for one. */
    openModel: async (folder: string, program: string) => {
      const { openModelWorkers } = await import('../../app/model-server.ts');
      const isWanted = servers.settings.get().model.chatWhileTalking === 'whenRoom';
      return openModelWorkers(machine, servers.proxy.proxies(), { folder, program }, isWanted);
    },
    /** Measures the model in this folder. An empty argument means the value of the settings. */
    openModelBench: async (folder: string, program: string) => {
      const { openModelBench } = await import('../../app/machine-bench.ts');
      const { model } = servers.settings.get();
      const parts = { folder: folder || model.folder, program: program || model.program };
      return openModelBench(machine, servers.proxy.proxies(), parts);
    },
    historyEditor: parley.historyEditor,
    memory: parley.memory.store,
    reports: parley.reports,
  };
}
