import type { JsonValue } from '../../../../shared/protocol/json.ts';
import { defaultChunkMs } from '../../../../shared/protocol/realtime-api.ts';
import { presetIds } from '../../../../shared/settings/preset.ts';
import { UsageError } from '../terminal-command.ts';
import { answerFileOptions } from './command-files.ts';
import type { CommandArguments, CommandSpec } from './command-spec.ts';
import {
  chunkMsRange,
  connectionOptions,
  exitNote,
  lengthPenaltyOption,
  slicesOption,
  tokenNote,
} from './connection-options.ts';

export const talkCommandSpec = {
  name: 'talk',
  summary: 'talk by microphone and speaker, or with a sound file',
  options: {
    mode: { value: 'M', choices: ['audio', 'video'], required: true, about: 'audio or video' },
    input: {
      value: 'IN.wav',
      file: true,
      about: 'a WAV file with what you say, sent in real time, then silence until the answer ends',
    },
    mic: {
      value: 'NAME',
      alone: true,
      instead: 'input',
      required: true,
      about:
        'you speak into this microphone, until Ctrl-C (default: the system’s); parley devices lists the names; NAME@API if two share a name',
    },
    frame: {
      value: 'F.jpg',
      many: true,
      file: true,
      about: 'a picture in place of the camera (video only); repeatable, the pictures take turns',
    },
    muted: { about: 'starts muted' },
    speaker: {
      value: 'NAME',
      alone: true,
      about: 'plays the answer on this speaker (default: the system’s)',
    },
    ...answerFileOptions,
    tape: {
      value: 'DIR',
      file: true,
      about: 'records the talk in a new folder, for parley replay',
    },
    system: { value: 'S', about: 'the system prompt' },
    preset: {
      value: 'P',
      choices: presetIds,
      instead: 'system',
      about: 'one of Parley’s presets instead of --system',
    },
    voice: {
      value: 'REF.wav',
      file: true,
      about: 'a voice for the model to imitate; any WAV file',
    },
    'tts-voice': {
      value: 'REF.wav',
      file: true,
      about: 'the voice of the answers, if it differs from --voice; any WAV file',
    },
    slices: slicesOption,
    'length-penalty': lengthPenaltyOption,
    config: {
      value: 'K=V',
      many: true,
      read: readConfigField,
      about: 'an additional field of the configuration, with its value as JSON; repeatable',
    },
    yielding: {
      value: 'Y',
      choices: ['auto', 'always', 'never'],
      about:
        'whether playback stops as soon as the model listens; auto: only if the model yields to interruptions',
    },
    warnings: { about: 'warns before a session’s time or memory runs out' },
    'interrupt-at': {
      value: 'SEC',
      many: true,
      range: { min: 0, max: 3600 },
      about: 'interrupts the model at this second; repeatable',
    },
    'hand-over': {
      about: 'continues in a new session when a session’s time or memory runs out',
    },
    'chunk-ms': {
      value: 'N',
      range: chunkMsRange,
      about: `ms of sound per message (${chunkMsRange.min} to ${chunkMsRange.max}; default: ${defaultChunkMs})`,
    },
    'max-seconds': {
      value: 'N',
      range: { min: 1, max: 3600 },
      about: 'ends the talk after this many seconds',
    },
    ...connectionOptions,
  },
  notes: [tokenNote, `${exitNote}, 4 sound device not found`],
} as const satisfies CommandSpec;

export type TalkCommandOptions = CommandArguments<typeof talkCommandSpec>['options'];

export function checkTalkOptions({ mode, input, mic, frame, slices }: TalkCommandOptions): void {
  if (input === undefined && mic === undefined)
    throw new UsageError('Give your speech with --input IN.wav, or speak into a --mic.');
  if (mode === 'audio' && frame.length > 0) throw new UsageError('--frame requires --mode video.');
  if (mode === 'audio' && slices !== undefined)
    throw new UsageError('--slices requires --mode video.');
}

type ConfigField = readonly [name: string, value: JsonValue];

/** Parses `length_penalty=1.1`: the value as JSON, or else as text. */
function readConfigField(text: string): ConfigField {
  const at = text.indexOf('=');
  const name = text.slice(0, at).trim();
  if (at < 1 || name === '') {
    throw new UsageError(`--config takes NAME=VALUE, such as length_penalty=1.1, not "${text}".`);
  }
  return [name, parseJsonOrText(text.slice(at + 1))];
}

function parseJsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
