import { soundChoiceName } from '../../../../shared/audio/listed-device.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import { describeAppError, englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import type {
  GenerationOptions,
  SessionSettings,
} from '../../../../shared/protocol/client-event.ts';
import type { AudioSink } from '../../../audio/capture/capture-pipeline.ts';
import type { Microphone } from '../../../audio/capture/microphone.ts';
import { defaultBargeInOptions } from '../../../audio/detection/barge-in.ts';
import type { DeviceEvent } from '../../../audio/devices/stream-supervisor.ts';
import type { Speaker } from '../../../audio/playback/speaker.ts';
import { recordSockets } from '../../../recordings/record/tape-recorder.ts';
import type { ConversationOptions, RecordTalk } from '../../../talk/conversation-options.ts';
import { CommandError, exitCode } from '../exit-code.ts';
import {
  maxInputSeconds,
  openAnswerFiles,
  readPicture,
  readSound,
  readVoice,
} from '../options/command-files.ts';
import {
  defaultChunkMs,
  resolveServer,
  resolveToken,
  socketsFor,
} from '../options/connection-options.ts';
import {
  readTalkCommandOptions,
  type TalkCommandOptions,
  talkCommandSpec,
} from '../options/talk-command-options.ts';
import { terminalCommand } from '../terminal-command.ts';
import type { TerminalCore } from '../terminal-core.ts';
import type { ViewEvent } from '../views/terminal-view.ts';
import { AttendedTalk } from './attended-talk.ts';
import { listDevices, requireDevice, type SoundDeviceKind } from './devices-command.ts';
import { CommandTalk, recordOn, runConversation } from './run-talk.ts';
import { ScriptedTalk } from './scripted-talk.ts';

/** A conversation by microphone and speaker, or with files in their place. */
export const talkCommand = terminalCommand(talkCommandSpec, async (given, terminal, parley) => {
  const read = readTalkCommandOptions(await resolveToken(given, terminal, parley));
  const options = { ...read, connection: await resolveServer(parley, read.connection) };
  await requireDevices(parley, options);
  const input =
    options.input === undefined
      ? undefined
      : await readSound(parley, options.input, maxInputSeconds);
  const frames: Uint8Array[] = [];
  for (const path of options.frames) frames.push(await readPicture(parley, path));
  const settings = await readTalkSettings(parley, options);
  const sockets = await socketsFor(parley, options.connection);
  const shown = new CommandTalk('talk', terminal, options.connection.json, parley.clock);
  const { emit } = shown;
  const { interruptAt, chunkMs, maxSeconds } = options;
  const script = new ScriptedTalk(
    { input, frames, interruptAt, chunkMs, maxSeconds },
    parley.clock,
  );
  const { speaker, microphone } = await openTalkSound(parley, options, emit, script);
  const files = await openAnswerFiles(parley, options);
  const { mode, connection } = options;
  const taped = { mode, connection, chunkMs, settings };
  const tape = await shown.openTape(parley, options.tape, taped);
  // A file is no microphone that somebody forgot about: who gives one has it sent.
  const { startMuted } = parley.settings.get().talking;
  const attended = new AttendedTalk(parley.clock, emit);
  const { openKeys } = options.connection.json ? {} : terminal;
  const ending = await runConversation(parley, attended.at(shown.terminal), {
    options: {
      ...conversationOptions(options, settings),
      carryOver: await parley.carryOverMessages(),
      muted: options.muted || (options.microphone !== undefined && startMuted),
    },
    sockets: tape === undefined ? sockets : recordSockets(sockets, tape),
    server: options.connection.endpoint?.url,
    speaker,
    microphone,
    record: tape && { ...recordOn(tape), devices: devicesOf(options) },
    files,
    script: {
      hear: script.hear,
      begun: (talk) => {
        script.begun(talk);
        attended.begun(talk, openKeys);
      },
    },
    emit,
    warns: options.warnings,
  }).finally(attended.close);
  return shown.finish(ending, files, tape);
});

/**
 * A person who talks waits for a lost session to come again, and makes sounds over the answer; a
 * script learns what went wrong, and its file is sent to the end.
 */
function conversationOptions(
  { mode, connection, chunkMs, handsOver, yielding, microphone, speaker }: TalkCommandOptions,
  settings: SessionSettings,
): Omit<ConversationOptions, 'carryOver'> {
  const byVoice = microphone !== undefined;
  return {
    mode,
    settings,
    dialect: connection.dialect,
    chunkMs,
    talking: 'open',
    reconnects: byVoice,
    handsOver,
    yielding,
    bargeIn: { ...defaultBargeInOptions, enabled: byVoice && speaker !== undefined },
  };
}

function devicesOf({ microphone, speaker }: TalkCommandOptions): RecordTalk['devices'] {
  return {
    microphone: microphone && soundChoiceName(microphone, []),
    speaker: speaker && soundChoiceName(speaker, []),
  };
}

/** What a session is configured with, as the options say; what they leave out is the server's own. */
async function readTalkSettings(
  parley: Pick<TerminalCore, 'files' | 'presetMessages'>,
  options: TalkCommandOptions,
): Promise<SessionSettings> {
  const { voice, ttsVoice, preset, slices } = options;
  const [model, speech] = [await readVoice(parley, voice), await readVoice(parley, ttsVoice)];
  const generation = generationOf(options);
  return {
    instructions:
      preset === undefined ? options.system : (await parley.presetMessages())[preset].instructions,
    ...(Object.keys(generation).length === 0 ? {} : { generation }),
    ...(model === undefined && speech === undefined ? {} : { voice: { model, speech } }),
    ...(slices === undefined ? {} : { maxSlices: slices }),
  };
}

function generationOf({ chunkMs, lengthPenalty, config }: TalkCommandOptions): GenerationOptions {
  return {
    ...(chunkMs === defaultChunkMs ? {} : { chunkMs }),
    ...(lengthPenalty === undefined ? {} : { lengthPenalty }),
    ...(config.length === 0 ? {} : { other: Object.fromEntries(config) }),
  };
}

type Wanted = Pick<TalkCommandOptions, 'microphone' | 'speaker'>;

interface TalkSound {
  readonly speaker: Speaker | undefined;
  readonly microphone: Microphone | undefined;
}

/** Ends the command where a device is wanted that is not there; before anything else is done. */
async function requireDevices(
  parley: Pick<TerminalCore, 'sound'>,
  { microphone, speaker }: Wanted,
): Promise<void> {
  if (microphone === undefined && speaker === undefined) return;
  const devices = await listDevices(parley);
  if (microphone !== undefined) requireDevice(devices, 'microphone', microphone);
  if (speaker !== undefined) requireDevice(devices, 'speaker', speaker);
}

/** Opens what is wanted. What becomes of the devices is shown; one that never opens ends the command. */
async function openTalkSound(
  parley: Pick<TerminalCore, 'openSpeaker' | 'openMicrophone' | 'settings'>,
  wanted: Wanted,
  show: (event: ViewEvent) => void,
  sink: AudioSink,
): Promise<TalkSound> {
  let begun = false;
  let lost: AppError | undefined;
  const onDeviceEvent = (use: SoundDeviceKind) => (event: DeviceEvent) => {
    if (begun || event.kind !== 'lost') show({ event: 'note', sentence: eventText(use, event) });
    else lost ??= event.error;
  };
  const speaker =
    wanted.speaker && (await parley.openSpeaker(wanted.speaker, onDeviceEvent('speaker')));
  const microphone =
    wanted.microphone &&
    (await parley.openMicrophone(wanted.microphone, sink, {
      gain: () => parley.settings.get().audio.inputVolume,
      mayStandIn: () => parley.settings.get().audio.whileUnplugged === 'system',
      onLevel: ({ rmsDb }) => {
        show({ event: 'level', rmsDb });
      },
      emit: onDeviceEvent('microphone'),
    }));
  if (lost !== undefined) throw new CommandError(describeAppError(lost), exitCode.noDevice);
  begun = true;
  return { speaker, microphone };
}

const titles: Readonly<Record<SoundDeviceKind, string>> = {
  microphone: 'Microphone',
  speaker: 'Speaker',
};

const whileLost: Readonly<Record<SoundDeviceKind, string>> = {
  microphone: 'Silence is sent until it is back.',
  speaker: 'What is said waits until it is back.',
};

function eventText(use: SoundDeviceKind, event: DeviceEvent): string {
  switch (event.kind) {
    case 'using':
      return `${titles[use]}: "${event.device}".`;
    case 'moved':
      return `${titles[use]}: "${event.from}" is gone; "${event.device}" stands in until it is back.`;
    case 'lost':
      return `${titles[use]}: ${englishErrorMessage(event.error)} ${whileLost[use]}`;
  }
}
