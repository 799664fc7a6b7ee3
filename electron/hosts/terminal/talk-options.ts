import { shortestAppend, inputRate } from '../../../shared/protocol/limits.ts';
import type { DuplexMode } from '../../../shared/protocol/names.ts';
import {
  connectionDetails,
  connectionOptions,
  connectionUsage,
  exitDetails,
  readConnection,
} from './connection-options.ts';
import type { ConnectionChoice } from './connection-options.ts';
import { UsageError } from './command.ts';
import { readFlags } from './flags.ts';
import { readChoice, readNumber, readOptionalNumber } from './option-values.ts';
import { captionFormatOf } from './caption-format.ts';

export const talkUsage =
  'parley talk --mode audio|video --input IN.wav [--frame F.jpg]… [--output OUT.wav]' +
  ' [--captions OUT.vtt|OUT.srt] [--tape DIR] [--system S] [--voice REF.wav]' +
  ' [--tts-voice REF.wav] [--interrupt-at SEC]… [--chunk-ms N] [--max-seconds N] ' +
  connectionUsage;

export const talkDetails: readonly string[] = [
  '--mode M             audio or video',
  '--input IN.wav       what you say: any WAV file, sent in real time; then silence until',
  '                     the answer has ended',
  '--frame F.jpg        what the camera sees (video); more of them take turns',
  '--output OUT.wav     what was heard, on the time line of the session',
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
];

export interface TalkOptions {
  readonly connection: ConnectionChoice;
  readonly mode: DuplexMode;
  readonly input: string;
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
  mic: { type: 'boolean' },
  speaker: { type: 'boolean' },
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

const leastChunkMs = (shortestAppend * 1000) / inputRate;

export function readTalkOptions(args: readonly string[]): TalkOptions {
  const { values } = readFlags(args, options);
  for (const device of ['mic', 'speaker'] as const) {
    if (values[device] !== undefined) {
      throw new UsageError(`--${device} is not there yet: talk with a file, by --input.`);
    }
  }
  const connection = readConnection(values);
  if (values.mode === undefined) throw new UsageError('Give --mode audio or --mode video.');
  const mode = readChoice('--mode', values.mode, ['audio', 'video']);
  if (values.input === undefined) throw new UsageError('Give what you say as --input IN.wav.');
  const frames = values.frame ?? [];
  if (mode === 'audio' && frames.length > 0) {
    throw new UsageError('--frame is for --mode video; in audio nothing is seen.');
  }
  if (values.captions !== undefined) captionFormatOf(values.captions);
  const seconds = { least: 0, most: 3600 };
  return {
    connection,
    mode,
    input: values.input,
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
      least: leastChunkMs,
      most: 5000,
      whole: true,
    }),
    maxSeconds: readOptionalNumber('--max-seconds', values['max-seconds'], {
      least: 1,
      most: 3600,
    }),
  };
}
