import { minAppendSamples, inputRate } from '../../../../shared/protocol/protocol-limits.ts';
import type { DuplexMode } from '../../../../shared/protocol/dialect-and-mode.ts';
import {
  connectionDetails,
  connectionOptions,
  connectionUsage,
  exitDetails,
  readConnection,
} from './connection-options.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { UsageError } from '../terminal-command.ts';
import { readFlags, takeOptionalValues } from './read-flags.ts';
import { readChoice, readNumber, readOptionalNumber } from './option-values.ts';
import { captionFormatOf } from './caption-format.ts';
import type { DeviceChoice } from '../../../ports/sound.ts';

export const talkUsage =
  'parley talk --mode audio|video (--input IN.wav | --mic[=NAME]) [--frame F.jpg]…' +
  ' [--output OUT.wav] [--speaker[=NAME]] [--captions OUT.vtt|OUT.srt] [--tape DIR] [--system S] [--voice REF.wav]' +
  ' [--tts-voice REF.wav] [--interrupt-at SEC]… [--chunk-ms N] [--max-seconds N] ' +
  connectionUsage;

export const talkDetails: readonly string[] = [
  '--mode M             audio or video',
  '--input IN.wav       what you say: any WAV file, sent in real time; then silence until',
  '                     the answer has ended',
  '--mic[=NAME]         you say it yourself, until Ctrl-C; parley devices lists the names,',
  '                     NAME@API where two share one, the system’s own without a name',
  '--frame F.jpg        what the camera sees (video); more of them take turns',
  '--output OUT.wav     what was heard, on the time line of the session',
  '--speaker[=NAME]     lets you hear the answer as it comes',
  '--captions F         the captions as .vtt or .srt',
  '--tape DIR           records the wire into a new folder, for parley replay',
  '--system S           how the model is to behave',
  '--voice REF.wav      a voice for the model to take after; any WAV file',
  '--tts-voice REF.wav  the voice it speaks with, where it is another',
  '--interrupt-at SEC   interrupts the model at this second; may be given again',
  '--chunk-ms N         how much sound one message carries (250 to 5000, normally 1000)',
  '--max-seconds N      ends after so long, whatever happens',
  ...connectionDetails,
  ...exitDetails,
  '      4 no such sound device',
];

export interface TalkCommandOptions {
  readonly connection: ConnectionOptions;
  readonly mode: DuplexMode;
  /** Either a file or a microphone. */
  readonly input: string | undefined;
  readonly microphone: DeviceChoice | undefined;
  readonly speaker: DeviceChoice | undefined;
  readonly frames: readonly string[];
  readonly output: string | undefined;
  readonly captions: string | undefined;
  readonly tape: string | undefined;
  readonly system: string | undefined;
  readonly voice: string | undefined;
  readonly ttsVoice: string | undefined;
  /** Seconds, in order. */
  readonly interruptAt: readonly number[];
  readonly chunkMs: number;
  readonly maxSeconds: number | undefined;
}

const options = {
  ...connectionOptions,
  mode: { type: 'string' },
  input: { type: 'string' },
  frame: { type: 'string', multiple: true },
  output: { type: 'string' },
  captions: { type: 'string' },
  tape: { type: 'string' },
  system: { type: 'string' },
  voice: { type: 'string' },
  'tts-voice': { type: 'string' },
  'interrupt-at': { type: 'string', multiple: true },
  'chunk-ms': { type: 'string' },
  'max-seconds': { type: 'string' },
} as const;

const minChunkMs = (minAppendSamples * 1000) / inputRate;

export function readTalkCommandOptions(args: readonly string[]): TalkCommandOptions {
  const { rest, taken } = takeOptionalValues(args, ['--mic', '--speaker']);
  const { values } = readFlags(rest, options);
  const microphone = taken.get('--mic');
  const connection = readConnection(values);
  if (values.mode === undefined) throw new UsageError('Give --mode audio or --mode video.');
  const mode = readChoice('--mode', values.mode, ['audio', 'video']);
  if (values.input === undefined && microphone === undefined) {
    throw new UsageError('Give what you say as --input IN.wav, or say it into a --mic.');
  }
  if (values.input !== undefined && microphone !== undefined) {
    throw new UsageError('Give either --input or --mic, not both.');
  }
  const frames = values.frame ?? [];
  if (mode === 'audio' && frames.length > 0) {
    throw new UsageError('--frame is for --mode video; in audio nothing is seen.');
  }
  if (values.captions !== undefined) captionFormatOf(values.captions);
  const seconds = { min: 0, max: 3600 };
  return {
    connection,
    mode,
    input: values.input,
    microphone: deviceChoice(microphone),
    speaker: deviceChoice(taken.get('--speaker')),
    frames,
    output: values.output,
    captions: values.captions,
    tape: values.tape,
    system: values.system,
    voice: values.voice,
    ttsVoice: values['tts-voice'],
    interruptAt: (values['interrupt-at'] ?? []).map((text) =>
      readNumber('--interrupt-at', text, seconds),
    ),
    chunkMs: readNumber('--chunk-ms', values['chunk-ms'] ?? '1000', {
      min: minChunkMs,
      max: 5000,
      whole: true,
    }),
    maxSeconds: readOptionalNumber('--max-seconds', values['max-seconds'], {
      min: 1,
      max: 3600,
    }),
  };
}

/** Nothing where it was not asked for, and the system's own where no name was given. */
function deviceChoice(name: string | true | undefined): DeviceChoice | undefined {
  if (name === undefined) return undefined;
  return name === true ? 'default' : { name };
}
