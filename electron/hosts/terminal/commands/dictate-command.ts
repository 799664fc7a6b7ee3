import { actionName, type CursorAction } from '../../../../shared/cursor/cursor-action.ts';
import type { DictationView } from '../../../../shared/cursor/quick-view.ts';
import { type AppError, done, wireReason } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import type { PostNotice } from '../../../../shared/ipc/contract.ts';
import { defaultChunkMs } from '../../../../shared/protocol/realtime-api.ts';
import { toSafeJson } from '../../../../shared/text.ts';
import type { Settings } from '../../../../shared/settings/settings.ts';
import { DeviceLock } from '../../../audio/devices/device-lease.ts';
import type { TestDevices } from '../../../audio/devices/sound-devices.ts';
import { CursorView } from '../../../cursor/cursor-view.ts';
import { Dictation } from '../../../cursor/dictation.ts';
import {
  exitCode,
  type ExitCode,
  type OnInterrupt,
  UsageError,
  type OpenCore,
  type Terminal,
  terminalCommand,
  type TerminalCore,
} from '../terminal-command.ts';
import { readSound } from '../options/command-files.ts';
import {
  connectionOptions,
  exitNote,
  readConnection,
  type ServerCore,
  socketsFor,
  tokenNote,
} from '../options/connection-options.ts';
import { listDevices, requireDevice } from './devices-command.ts';
import { failureCode, TerminableSockets } from './run-session.ts';

const maxLanguage = 40;

type DictateCore = Pick<
  TerminalCore,
  'clock' | 'dictationPrompts' | 'files' | 'openMicrophone' | 'openWrittenSession' | 'sound'
> &
  ServerCore;

export const dictateCommand = terminalCommand(
  {
    name: 'dictate',
    summary: 'write down what you say',
    options: {
      audio: {
        value: 'IN.wav',
        file: true,
        about: 'a WAV file with what was said, instead of the microphone',
      },
      mic: {
        value: 'NAME',
        instead: 'audio',
        about: 'the microphone (default: as in the settings); parley devices lists the names',
      },
      mode: {
        value: 'M',
        about:
          'verbatim, clean (without filler words), or the name of an action that rewrites the words (default: as in the settings)',
      },
      language: {
        value: 'L',
        read: readLanguage,
        about: 'the language that is spoken, such as French (default: as in the settings)',
      },
      ...connectionOptions,
    },
    typed: [
      ['Enter', 'ends the dictation'],
      ['Ctrl-C', 'ends the dictation; a second time, it abandons the words'],
    ],
    notes: [
      'Prints only the text on stdout. A microphone stays open for at most five minutes.',
      tokenNote,
      `${exitNote}, 4 sound device not found; 1 also if no words were heard`,
    ],
  },
  async (given, terminal, openCore: OpenCore<DictateCore>) => {
    const { options } = given;
    const parley = await openCore();
    const settings = await dictationSettings(options, parley);
    const connection = await readConnection(given, terminal, parley);
    const sound =
      options.audio === undefined ? undefined : await readSound(parley.files, options.audio);
    if (sound === undefined)
      requireDevice(await listDevices(parley.sound), 'microphone', settings.audio.microphone);
    const sockets = new TerminableSockets(await socketsFor(parley, connection, 'chat', terminal));
    const run = new TerminalDictation({
      parley,
      settings,
      sound,
      output: new DictationOutput(terminal, options.json, parley.clock.now),
      openSession: (emit) =>
        parley.openWrittenSession(
          { settings: {}, dialect: connection.dialect, chunkMs: defaultChunkMs },
          { sockets, server: connection.endpoint?.url, emit },
        ),
      abandon: () => sockets.terminate(),
    });
    const stopListening = listenForEnd(terminal, run, sound === undefined);
    try {
      return await run.finish();
    } finally {
      stopListening();
    }
  },
);

interface DictationChanges {
  readonly mic: string | undefined;
  readonly mode: string | undefined;
  readonly language: string | undefined;
}

/** The user's settings, changed by the options. */
async function dictationSettings(
  { mic, mode, language }: DictationChanges,
  { settings, dictationPrompts }: Pick<DictateCore, 'settings' | 'dictationPrompts'>,
): Promise<Settings> {
  const { audio, cursor, ...rest } = settings.get();
  const { names } = (await dictationPrompts()).cursor;
  const dictation = {
    ...cursor.dictation,
    ...(mode === undefined ? {} : { mode: findMode(mode, cursor.actions, names) }),
    ...(language === undefined ? {} : { language }),
  };
  return {
    ...rest,
    audio: mic === undefined ? audio : { ...audio, microphone: { name: mic } },
    cursor: { ...cursor, dictation },
  };
}

function readLanguage(text: string): string {
  const language = text.trim();
  if (language !== '' && language.length <= maxLanguage) return language;
  throw new UsageError(
    `--language takes the name of a language, of at most ${maxLanguage} characters.`,
  );
}

/** Finds a mode by its name or id, and returns its id. */
function findMode(
  text: string,
  actions: readonly CursorAction[],
  names: CoreMessages['cursor']['names'],
): string {
  const modes = [
    ...['verbatim', 'clean'].map((id) => ({ id, name: id })),
    ...actions.map((action) => ({ id: action.id, name: actionName(action, names) })),
  ];
  const folded = text.trim().toLowerCase();
  const match =
    modes.find(({ name }) => name.toLowerCase() === folded) ?? modes.find(({ id }) => id === text);
  if (match !== undefined) return match.id;
  const known = modes.map(({ name }) => `“${name}”`).join(', ');
  throw new UsageError(`--mode takes one of ${known}, not “${text}”.`);
}

interface RunDeps {
  readonly parley: DictateCore;
  readonly settings: Settings;
  /** The sound of a file, instead of the microphone. */
  readonly sound: Float32Array | undefined;
  readonly output: DictationOutput;
  readonly openSession: ConstructorParameters<typeof Dictation>[0]['openSession'];
  /** Closes the connection without waiting for the server. */
  readonly abandon: () => void;
}

/** Runs the small window's dictation, and prints the text instead of inserting it into a program. */
class TerminalDictation {
  readonly #deps: RunDeps;
  readonly #dictation: Dictation;
  readonly #code: Promise<ExitCode>;
  #resolve: (code: ExitCode) => void = () => undefined;
  #isMicrophoneLost = false;
  /** Why the microphone was lost, while the server still writes down what was said before. */
  #loss: AppError | undefined;
  #isEnding = false;

  constructor(deps: RunDeps) {
    const { parley, settings, openSession } = deps;
    this.#deps = deps;
    this.#code = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const post: PostNotice = (name) => {
      if (name === 'quickChanged') this.#onChange(view.state.dictation);
    };
    const view = new CursorView(post);
    this.#dictation = new Dictation({
      view,
      window: { show: () => undefined, hide: () => undefined },
      programs: {
        active: () => Promise.resolve(undefined),
        insert: (text) => {
          this.#finishWith(text);
          return Promise.resolve(done);
        },
      },
      devices: { openMicrophone: (...use) => this.#openMicrophone(...use) },
      // This process runs no talk that could hold the devices.
      lock: new DeviceLock(),
      settings: { get: () => settings },
      prompts: parley.dictationPrompts,
      openSession,
      clock: parley.clock,
      post,
    });
  }

  /** Runs until the words are written, nothing was heard, or something failed. */
  async finish(): Promise<ExitCode> {
    const begun = await this.#dictation.begin('program', 'tap');
    if (begun.ok && this.#deps.sound !== undefined) this.end();
    const code = await this.#code;
    await this.#dictation.close();
    return code;
  }

  readonly end = (): void => {
    this.#isEnding = true;
    void this.#dictation.end();
  };

  /** Ends the dictation the first time, and abandons the words the second time. */
  readonly interrupt: OnInterrupt = (signal) => {
    const { output, abandon } = this.#deps;
    if (!this.#isEnding) {
      if (signal !== 'SIGPIPE') output.note('Ctrl-C again abandons the words.');
      this.end();
      return;
    }
    this.#resolve(exitCode.failed);
    abandon();
  };

  #onChange({ state, text, place }: DictationView): void {
    const { output, sound } = this.#deps;
    output.show(state.kind, text, place, sound === undefined);
    if (state.kind === 'nothingHeard') this.#finishWith('');
    else if (state.kind === 'failed') {
      if (this.#isMicrophoneLost && this.#loss === undefined && state.unheard !== true) {
        this.#loss = state.error;
        // The first Ctrl-C does not abandon the words: the user may not know yet that the microphone is lost.
        void this.#dictation.end();
        return;
      }
      output.fail(this.#loss ?? state.error, text);
      this.#resolve(this.#isMicrophoneLost ? exitCode.noDevice : failureCode(state.error));
    }
  }

  /** Prints all words, and reports a microphone that was lost while they were said. */
  #finishWith(text: string): void {
    const { output } = this.#deps;
    if (this.#loss === undefined) output.print(text);
    else output.fail(this.#loss, text);
    const code = text === '' ? exitCode.failed : exitCode.done;
    this.#resolve(this.#loss === undefined ? code : exitCode.noDevice);
  }

  async #openMicrophone(
    ...[device, sink, options]: Parameters<TestDevices['openMicrophone']>
  ): ReturnType<TestDevices['openMicrophone']> {
    const { sound, parley } = this.#deps;
    if (sound === undefined)
      return parley.openMicrophone(device, sink, {
        ...options,
        emit: (event) => {
          this.#isMicrophoneLost ||= event.kind === 'lost';
          options.emit(event);
        },
      });
    sink.pushAudio(sound);
    return { end: () => Promise.resolve() };
  }
}

/** Enter ends the dictation, and so does Ctrl-C. Returns a function that stops listening. */
function listenForEnd(
  terminal: Terminal,
  run: TerminalDictation,
  usesMicrophone: boolean,
): () => void {
  const stopListening = terminal.onInterrupt?.(run.interrupt);
  const lines = usesMicrophone ? terminal.openLines?.(run.interrupt) : undefined;
  const read = async (): Promise<void> => {
    for (;;) {
      const line = await lines?.next('');
      if (line?.kind === 'interrupted') run.interrupt();
      else if (line?.kind === 'line') run.end();
      else break;
    }
    // The end of a pipe does not end the dictation, because a command without input has an empty pipe.
    if (lines?.typed === true) run.end();
  };
  if (lines !== undefined) void read();
  return () => {
    lines?.close();
    stopListening?.();
  };
}

const notes = {
  listening: 'Listening. Enter or Ctrl-C ends the dictation.',
  writing: 'Writing it down…',
} as const;

/** Prints the text on stdout when it is complete, or with `--json` each step as a line. */
class DictationOutput {
  readonly #terminal: Terminal;
  readonly #json: boolean;
  readonly #now: () => number;
  readonly #startedAt: number;
  #state = 'idle';
  #text = '';
  #place: number | undefined;

  constructor(terminal: Terminal, json: boolean, now: () => number) {
    this.#terminal = terminal;
    this.#json = json;
    this.#now = now;
    this.#startedAt = now();
  }

  show(
    state: DictationView['state']['kind'],
    text: string,
    place: number | undefined,
    usesMicrophone: boolean,
  ): void {
    if (state !== this.#state && isReported(state)) {
      this.#event('state', { state });
      if (state === 'writing' || (state === 'listening' && usesMicrophone)) this.note(notes[state]);
    }
    this.#state = state;
    if (place !== undefined && place !== this.#place) {
      this.#event('queue', { position: place });
      this.note(`Place ${place} in the server's queue.`);
    }
    this.#place = place;
    if (text !== this.#text && text !== '') this.#event('text', { text });
    this.#text = text;
  }

  note(sentence: string): void {
    this.#terminal.err(`${sentence}\n`);
  }

  /** Prints the final text, which is empty if no words were heard. */
  print(text: string): void {
    this.#event('done', { text });
    if (text === '') this.note('No words were heard.');
    else if (!this.#json) this.#terminal.out(`${text}\n`);
  }

  /** Prints the words that the server had written before it failed. */
  fail(error: AppError, text: string): void {
    const message = describeAppError(error);
    this.#event('error', { code: wireReason(error), message });
    this.note(message);
    if (!this.#json && text !== '') this.#terminal.out(`${text}\n`);
  }

  #event(event: string, fields: object): void {
    if (!this.#json) return;
    const at = Math.round(this.#now() - this.#startedAt);
    this.#terminal.out(`${toSafeJson({ at, event, ...fields })}\n`);
  }
}

/** Whether a state is reported as it begins. The others end the command, which reports them. */
function isReported(state: DictationView['state']['kind']): boolean {
  return (
    state === 'opening' || state === 'listening' || state === 'writing' || state === 'finishing'
  );
}
