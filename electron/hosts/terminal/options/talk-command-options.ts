import type { JsonValue } from '../../../../shared/protocol/json.ts';
import { defaultChunkMs } from '../../../../shared/protocol/realtime-api.ts';
import { presetIds } from '../../../../shared/settings/preset.ts';
import { UsageError } from '../exit-code.ts';
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
  summary: 'talk by microphone and speaker, or with a recording',
  options: {
    mode: { value: 'M', choices: ['audio', 'video'], required: true, about: 'audio or video' },
    input: {
      value: 'IN.wav',
      file: true,
      about:
        'what you say: any WAV file, sent in real time; then silence until the answer has ended',
    },
    mic: {
      value: 'NAME',
      alone: true,
      instead: 'input',
      required: true,
      about:
        'you say it yourself, until Ctrl-C; parley devices lists the names, NAME@API where two share one, the system’s own without a name',
    },
    frame: {
      value: 'F.jpg',
      many: true,
      file: true,
      about: 'what the camera sees (video); more of them take turns',
    },
    muted: { about: 'begins muted, so that Parley hears silence' },
    speaker: { value: 'NAME', alone: true, about: 'lets you hear the answer as it comes' },
    ...answerFileOptions,
    tape: {
      value: 'DIR',
      file: true,
      about: 'records the wire into a new folder, for parley replay',
    },
    system: { value: 'S', about: 'how the model is to behave' },
    preset: {
      value: 'P',
      choices: presetIds,
      instead: 'system',
      about: 'the same by one of Parley’s presets',
    },
    voice: {
      value: 'REF.wav',
      file: true,
      about: 'a voice for the model to take after; any WAV file',
    },
    'tts-voice': {
      value: 'REF.wav',
      file: true,
      about: 'the voice it speaks with, where it is another',
    },
    slices: slicesOption,
    'length-penalty': lengthPenaltyOption,
    config: {
      value: 'K=V',
      many: true,
      read: readConfigField,
      about: 'a further field of the session’s config, its value as JSON; may be given again',
    },
    yielding: {
      value: 'Y',
      choices: ['auto', 'always', 'never'],
      about: 'whether a listen silences an answer: auto tells its end from a yield',
    },
    warnings: { about: 'says when the time or the memory of a session comes to its end' },
    'interrupt-at': {
      value: 'SEC',
      many: true,
      range: { min: 0, max: 3600 },
      about: 'interrupts the model at this second; may be given again',
    },
    'hand-over': {
      about: 'goes on in another session when the time or the memory of one runs out',
    },
    'chunk-ms': {
      value: 'N',
      range: chunkMsRange,
      about: `how much sound one message carries (${chunkMsRange.min} to ${chunkMsRange.max}, normally ${defaultChunkMs})`,
    },
    'max-seconds': {
      value: 'N',
      range: { min: 1, max: 3600 },
      about: 'ends after so long, whatever happens',
    },
    ...connectionOptions,
  },
  notes: [tokenNote, `${exitNote}, 4 no such sound device`],
} as const satisfies CommandSpec;

export type TalkCommandOptions = CommandArguments<typeof talkCommandSpec>['options'];

/** Checks options that depend on each other. */
export function checkTalkOptions({ mode, input, mic, frame, slices }: TalkCommandOptions): void {
  if (input === undefined && mic === undefined)
    throw new UsageError('Give what you say as --input IN.wav, or say it into a --mic.');
  if (mode === 'audio' && frame.length > 0)
    throw new UsageError('--frame is for --mode video; in audio nothing is seen.');
  if (mode === 'audio' && slices !== undefined)
    throw new UsageError('--slices is for --mode video; in audio nothing is seen.');
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
