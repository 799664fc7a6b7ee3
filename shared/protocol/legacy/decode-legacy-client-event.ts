import { englishErrorMessage } from '../../i18n/en/describe-app-error.ts';
import { decodeWav } from '../../wav/decode-wav.ts';
import type { AppendEvent, ConfigureEvent } from '../client-event.ts';
import type { ClientReading } from '../decode/client-reading.ts';
import type { ClientEventFields } from '../decode/client-event-fields.ts';
import { decodeFrames } from '../decode/decode-frames.ts';
import { inputRate } from '../protocol-limits.ts';

export function decodeSessionUpdate(
  frame: ClientEventFields,
  { lenient = false }: ClientReading,
): ConfigureEvent {
  const session = (lenient ? frame : frame.required('session')).object('session');
  const model = session && wavOrRawVoice(session, 'ref_audio');
  const speech = session && wavOrRawVoice(session, 'tts_ref_audio');
  const none = model === undefined && speech === undefined;
  return {
    kind: 'configure',
    settings: {
      instructions: (lenient ? session : session?.required('instructions'))?.text('instructions'),
      maxSlices: session?.slices('max_slice_nums'),
      voice: none ? undefined : { model, speech },
    },
  };
}

/** The documents say WAV, servers in use read raw float32: a file says by its first letters which it is. */
function wavOrRawVoice(session: ClientEventFields, key: string): Float32Array | undefined {
  if (!session.beginsWith(key, 'UklGR')) return session.sound(key);
  const file = session.bytes(key);
  if (file === undefined) return undefined;
  const wav = decodeWav(file);
  if (!wav.ok) return session.invalid(key, `WAV decode failed: ${englishErrorMessage(wav.error)}`);
  if (wav.value.rate === inputRate && wav.value.channels === 1) return wav.value.samples;
  return session.invalid(key, `must be a mono WAV of ${String(inputRate)} Hz`);
}

export function decodeBufferAppend(frame: ClientEventFields): AppendEvent {
  return {
    kind: 'append',
    inputId: frame.text('input_id'),
    audio: frame.required('audio').sound('audio') ?? new Float32Array(0),
    frames: decodeFrames(frame),
    forceListen: frame.flag('force_listen'),
    maxSlices: frame.slices('max_slice_nums'),
  };
}
