import type {
  AppendEvent,
  ChatTurnEvent,
  CloseSessionEvent,
  ConfigureEvent,
  ReferenceVoice,
} from '../client-event.ts';
import type { ClientReading } from '../decode/client-reading.ts';
import type { ClientEventFields } from '../decode/client-event-fields.ts';
import { decodeFrames } from '../decode/decode-frames.ts';
import { decodeChat } from './decode-chat.ts';
import { decodeGeneration } from './decode-generation.ts';

export function decodeSessionInit(
  frame: ClientEventFields,
  { lenient }: ClientReading,
): ConfigureEvent {
  const payload = frame.required('payload').object('payload');
  const prompt = payload?.text('system_prompt');
  const alias = payload?.text('instructions');
  const config = payload?.object('config');
  const voice = payload?.object('voice');
  return {
    kind: 'configure',
    ...(lenient === true && { runtimeMode: payload?.text('mode') }),
    settings: {
      instructions: prompt ?? alias,
      generation: config && decodeGeneration(config),
      voice: voice && decodeVoice(voice),
    },
  };
}

function decodeVoice(voice: ClientEventFields): ReferenceVoice {
  return {
    model: rawVoice(voice, 'ref_audio_base64'),
    speech: rawVoice(voice, 'tts_ref_audio_base64'),
  };
}

/** A WAV file would be read as noise, so it is told apart by its first letters. */
function rawVoice(voice: ClientEventFields, key: string): Float32Array | undefined {
  if (voice.beginsWith(key, 'UklGR')) {
    return voice.invalid(key, 'must be raw float32 PCM, not WAV');
  }
  return voice.sound(key);
}

/** One event for two things: the input of chat has messages, that of duplex has audio. */
export function decodeInputAppend(
  frame: ClientEventFields,
  { mode }: ClientReading,
): AppendEvent | ChatTurnEvent {
  const input = frame.required('input').object('input');
  const outerId = frame.text('input_id');
  const inputId = input?.text('input_id') ?? outerId;
  const isChat = mode === undefined ? input?.has('messages') === true : mode === 'chat';
  if (input !== undefined && isChat) return decodeChat(input.required('messages'), inputId);
  return decodeAppend(input, inputId);
}

function decodeAppend(
  input: ClientEventFields | undefined,
  inputId: string | undefined,
): AppendEvent {
  const hints = input?.object('hints');
  const direct = {
    forceListen: input?.flag('force_listen'),
    slices: input?.slices('max_slice_nums'),
  };
  const hinted = {
    forceListen: hints?.flag('force_listen'),
    slices: hints?.slices('max_slice_nums'),
  };
  const onlyHinted = direct.forceListen === undefined && direct.slices === undefined;
  return {
    kind: 'append',
    inputId,
    audio: input?.required('audio').sound('audio') ?? new Float32Array(0),
    frames: input && decodeFrames(input),
    forceListen: direct.forceListen ?? hinted.forceListen,
    maxSlices: direct.slices ?? hinted.slices,
    flagsIn: hints !== undefined && onlyHinted ? 'hints' : undefined,
  };
}

/** Without a reason it is what servers then answer with. */
export function decodeSessionClose(frame: ClientEventFields): CloseSessionEvent {
  return { kind: 'close', reason: frame.text('reason') ?? 'client_closed' };
}
