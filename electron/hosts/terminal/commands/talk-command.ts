import { soundChoiceName } from '../../../../shared/settings/audio-settings.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import { describeAppError, englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import {
  type GenerationOptions,
  type SessionSettings,
  defaultChunkMs,
} from '../../../../shared/protocol/realtime-api.ts';
import { startsMuted } from '../../../../shared/settings/app-settings.ts';
import type { AudioSink } from '../../../audio/capture/microphone.ts';
import { defaultBargeInOptions } from '../../../audio/detection/barge-in.ts';
import type { DeviceChoice } from '../../../audio/devices/sound-driver.ts';
import type { DeviceEvent } from '../../../audio/devices/stream-supervisor.ts';
import { recordSockets } from '../../../recordings/record/tape-recorder.ts';
import {
  CommandError,
  exitCode,
  terminalCommand,
  type Terminal,
  type TerminalCore,
} from '../terminal-command.ts';
import { readPicture, readSound, readVoice } from '../options/command-files.ts';
import { readConnection, socketsFor } from '../options/connection-options.ts';
import {
  checkTalkOptions,
  talkCommandSpec,
  type TalkCommandOptions,
} from '../options/talk-command-options.ts';
import type { ViewEvent } from '../views/terminal-view.ts';
import { listDevices, requireDevice, type SoundDeviceKind } from './devices-command.ts';
import { TalkOutput, recordTo, runConversation } from './run-talk.ts';
import { ScriptedTalk } from './scripted-talk.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';
import type { Conversation } from '../../../talk/conversation.ts';
import { redrawKey } from '../typed-keys.ts';

export const talkCommand = terminalCommand(talkCommandSpec, async (given, terminal, openCore) => {
  const { options } = given;
  checkTalkOptions(options);
  const parley = await openCore();
  const { clock, files } = parley;
  const { mode, chunkMs = defaultChunkMs, interruptAt, maxSeconds } = options;
  const devices = { microphone: deviceChoice(options.mic), speaker: deviceChoice(options.speaker) };
  const connection = await readConnection(given, terminal, parley);
  await requireDevices(parley, devices);
  const input = options.input === undefined ? undefined : await readSound(files, options.input);
  const frames: Uint8Array[] = [];
  for (const path of options.frame) frames.push(await readPicture(parley, path));
  const settings = await readTalkSettings(parley, options);
  const sockets = await socketsFor(parley, connection, 'talk', terminal);
  const output = new TalkOutput('talk', terminal, options.json, clock);
  const { emit } = output;
  const script = new ScriptedTalk({ input, frames, interruptAt, chunkMs, maxSeconds }, clock);
  const { speaker, microphone } = await openTalkSound(parley, devices, emit, script);
  const session = { mode, connection, chunkMs, settings };
  const { tape, files: answer } = await output.openFiles(parley, options, session);
  const keyboard = new KeyboardControls(clock, emit);
  const usesMicrophone = devices.microphone !== undefined;
  const ending = await runConversation(parley, keyboard.wrapTerminal(output.terminal), {
    // A user at a microphone wants reconnects and barge-in. A script wants errors, and sends its file to the end.
    options: {
      mode,
      settings,
      dialect: connection.dialect,
      chunkMs,
      talking: 'open',
      reconnects: usesMicrophone,
      handsOver: options.handOver,
      sessionSeconds: connection.traits?.timeLimit,
      contextTokens: connection.traits?.contextLimit,
      yielding: options.yielding,
      bargeIn: {
        ...defaultBargeInOptions,
        enabled: usesMicrophone && devices.speaker !== undefined,
      },
      carryOver: await parley.carryOverMessages(),
      // The setting to start muted protects microphones. A file is sent whatever the setting.
      muted:
        options.muted ||
        (usesMicrophone && startsMuted({ ...parley.settings.get().talking, mode: 'open' })),
    },
    sockets: tape === undefined ? sockets : recordSockets(sockets, tape),
    connection,
    speaker,
    microphone,
    record: tape && {
      ...recordTo(tape),
      devices: {
        microphone: devices.microphone && soundChoiceName(devices.microphone, []),
        speaker: devices.speaker && soundChoiceName(devices.speaker, []),
      },
    },
    files: answer,
    script: {
      handleEvent: script.handleEvent,
      begun: (talk) => {
        script.begun(talk);
        keyboard.start(talk, options.json ? undefined : terminal.openKeys);
      },
    },
    emit,
    warns: options.warnings,
  }).finally(keyboard.close);
  return output.finish(ending, answer, tape);
});

/** The device of an option: undefined without the option, and the system's default without a name. */
function deviceChoice(name: string | true | undefined): DeviceChoice | undefined {
  if (name === undefined) return undefined;
  return name === true ? 'default' : { name };
}

/** Session settings from the options. Other settings keep the server's defaults. */
async function readTalkSettings(
  { files, presetMessages }: Pick<TerminalCore, 'files' | 'presetMessages'>,
  { voice, ttsVoice, system, preset, slices, chunkMs, lengthPenalty, config }: TalkCommandOptions,
): Promise<SessionSettings> {
  const [model, speech] = [await readVoice(files, voice), await readVoice(files, ttsVoice)];
  const generation: GenerationOptions = {
    ...(chunkMs === undefined || chunkMs === defaultChunkMs ? {} : { chunkMs }),
    ...(lengthPenalty === undefined ? {} : { lengthPenalty }),
    ...(config.length === 0 ? {} : { other: Object.fromEntries(config) }),
  };
  return {
    instructions: preset === undefined ? system : (await presetMessages())[preset].instructions,
    ...(Object.keys(generation).length === 0 ? {} : { generation }),
    ...(model === undefined && speech === undefined ? {} : { voice: { model, speech } }),
    ...(slices === undefined ? {} : { maxSlices: slices }),
  };
}

interface DeviceChoices {
  readonly microphone: DeviceChoice | undefined;
  readonly speaker: DeviceChoice | undefined;
}

/** Fails early if a chosen device does not exist. */
async function requireDevices(
  { sound }: Pick<TerminalCore, 'sound'>,
  { microphone, speaker }: DeviceChoices,
): Promise<void> {
  if (microphone === undefined && speaker === undefined) return;
  const devices = await listDevices(sound);
  if (microphone !== undefined) requireDevice(devices, 'microphone', microphone);
  if (speaker !== undefined) requireDevice(devices, 'speaker', speaker);
}

/** Opens the chosen devices and shows their events. Fails if one never opens. */
async function openTalkSound(
  parley: Pick<TerminalCore, 'openSpeaker' | 'openMicrophone' | 'settings'>,
  choices: DeviceChoices,
  show: (event: ViewEvent) => void,
  sink: AudioSink,
) {
  let isOpen = false;
  let lost: AppError | undefined;
  const onDeviceEvent = (use: SoundDeviceKind) => (event: DeviceEvent) => {
    if (isOpen || event.kind !== 'lost')
      show({ event: 'note', sentence: describeDeviceEvent(use, event) });
    else lost ??= event.error;
  };
  const speaker =
    choices.speaker && (await parley.openSpeaker(choices.speaker, onDeviceEvent('speaker')));
  const microphone =
    choices.microphone &&
    (await parley.openMicrophone(choices.microphone, sink, {
      gain: () => parley.settings.get().audio.inputVolume,
      allowsSubstitute: () => parley.settings.get().audio.whileUnplugged === 'system',
      onLevel: ({ rmsDb }) => show({ event: 'level', rmsDb }),
      emit: onDeviceEvent('microphone'),
    }));
  if (lost !== undefined) throw new CommandError(describeAppError(lost), exitCode.noDevice);
  isOpen = true;
  return { speaker, microphone };
}

const titles: Readonly<Record<SoundDeviceKind, string>> = {
  microphone: 'Microphone',
  speaker: 'Speaker',
};

const lossNotes: Readonly<Record<SoundDeviceKind, string>> = {
  microphone: 'Parley sends silence until it is back.',
  speaker: 'The answer waits until it is back.',
};

function describeDeviceEvent(use: SoundDeviceKind, event: DeviceEvent): string {
  switch (event.kind) {
    case 'using':
      return `${titles[use]}: "${event.device}".`;
    case 'moved':
      return `${titles[use]}: "${event.from}" is gone; "${event.device}" is used until it is back.`;
    case 'lost':
      return `${titles[use]}: ${englishErrorMessage(event.error)} ${lossNotes[use]}`;
  }
}

type Talk = Pick<Conversation, 'controls' | 'interrupt' | 'setPaused'>;

/** Presses of one key that follow each other within this time are auto-repeat. */
const maxRepeatGapMs = 100;
/**
 * The first auto-repeat of a held key comes as late as a second press could, so it runs like one. If it undid a toggle,
 * the next repeat toggles once more.
 */
const maxFirstRepeatMs = 1000;
const toggleKeys: ReadonlySet<string> = new Set(['m', ' ']);

const keyLine = 'm mute · space pause · i interrupt · q end · ? keys';
const keyHelp = [
  'm       mutes and unmutes the microphone; while muted, Parley hears silence',
  'space   pauses and resumes; while paused, nothing is sent, and a running answer finishes',
  'i       interrupts the answer',
  'q       ends the talk, like Ctrl-C',
  'Ctrl-Z  suspends Parley until “fg”',
];

/** Controls a running talk by single keys in the terminal. */
export class KeyboardControls {
  readonly #clock: Clock;
  readonly #emit: (event: ViewEvent) => void;
  /** Listeners for Ctrl-C. The key `q` calls each once. */
  readonly #interruptListeners = new Set<() => void>();
  #talk: Talk | undefined;
  #closeKeys: (() => void) | undefined;
  /** The last press, and its time since the press of the same key before it. */
  #last = { key: '', at: -Infinity, gap: Infinity };

  constructor(clock: Clock, emit: (event: ViewEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  /** Wraps the terminal so that `q` works like Ctrl-C. */
  wrapTerminal(terminal: Terminal): Terminal {
    return {
      ...terminal,
      onInterrupt: (listener) => {
        this.#interruptListeners.add(listener);
        const stopListening = terminal.onInterrupt?.(listener);
        return () => {
          this.#interruptListeners.delete(listener);
          stopListening?.();
        };
      },
    };
  }

  start(talk: Talk, openKeys: Terminal['openKeys']): void {
    this.#talk = talk;
    this.#closeKeys = openKeys?.(this.#onKey);
    if (this.#closeKeys !== undefined) this.#emit({ event: 'keys', lines: [keyLine] });
  }

  readonly close = (): void => this.#closeKeys?.();

  readonly #onKey = (key: string): void => {
    const at = this.#clock.now();
    const last = this.#last;
    const gap = key === last.key ? at - last.at : Infinity;
    const isRepeat = gap < maxRepeatGapMs;
    const wasFirstRepeat = last.gap >= maxRepeatGapMs && last.gap < maxFirstRepeatMs;
    this.#last = { key, at, gap };
    if (this.#talk === undefined) return;
    if (!isRepeat || (wasFirstRepeat && toggleKeys.has(key))) this.#runKey(key, this.#talk);
  };

  #runKey(key: string, talk: Talk): void {
    const { muted, paused } = talk.controls.view;
    switch (key) {
      case 'm':
        talk.controls.setMuted(!muted);
        return;
      case ' ':
        talk.setPaused(!paused);
        return;
      case 'i':
        talk.interrupt();
        return;
      case 'q':
        for (const interrupt of this.#interruptListeners) {
          this.#interruptListeners.delete(interrupt);
          interrupt();
        }
        return;
      case '?':
        this.#emit({ event: 'keys', lines: keyHelp });
        return;
      case redrawKey:
        this.#emit({ event: 'controls', muted, paused });
        return;
      default:
    }
  }
}
