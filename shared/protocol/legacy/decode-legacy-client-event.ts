import { englishErrorMessage } from '../../i18n/en/describe-app-error.ts';
import { decodeWav } from '../../wav/decode-wav.ts';
import type { AppendEvent, ConfigureEvent } from '../client-event.ts';
import type { ClientEventFields } from '../decode/client-event-fields.ts';
import { decodeFrames } from '../decode/decode-frames.ts';
import { inputRate } from '../protocol-limits.ts';

export function decodeSessionUpdate(frame: ClientEventFields): ConfigureEvent {
  const session = frame.required('session').object('session');
  const model = session && wavVoice(session, 'ref_audio');
  const speech = session && wavVoice(session, 'tts_ref_audio');
  const none = model === undefined && speech === undefined;
  return {
    kind: 'configure',
    settings: {
      instructions: session?.required('instructions').text('instructions'),
      maxSlices: session?.slices('max_slice_nums'),
      voice: none ? undefined : { model, speech },
    },
  };
}

function wavVoice(session: ClientEventFields, key: string): Float32Array | undefined {
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
