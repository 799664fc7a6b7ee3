import { bufferBase64 } from '../../adapters/system/buffer-base64.ts';
import type { WorkPart } from '../../ports/machine-bench.ts';
import type { DemoSpeech } from '../../gateway/gateway.ts';
import { CapturePipeline } from '../../sound/capture/capture-pipeline.ts';
import { SincResampler } from '../../sound/dsp/sinc-resampler.ts';
import { AdaptiveCanceller } from '../../sound/echo/adaptive-canceller.ts';
import { CaptureEnhancement } from '../../sound/enhance/capture-enhancement.ts';
import { createClientCodec } from '../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import { inputRate, outputRate } from '../../../shared/protocol/protocol-limits.ts';

const done = { ok: true, value: undefined } as const;
const seconds = 20;
const blockSamples = inputRate / 100;
/** What most sound cards play at. */
const cardRate = 48_000;

/** The recorded sentences one after the other, as long as the work is. */
function spoken({ clips }: DemoSpeech): Float32Array {
  const sound = new Float32Array(seconds * outputRate);
  let at = 0;
  while (at < sound.length) {
    const before = at;
    for (const { audio } of clips) {
      sound.set(audio.subarray(0, Math.max(0, sound.length - at)), Math.min(at, sound.length));
      at += audio.length;
    }
    if (at === before) break;
  }
  return sound;
}

/** Sound in both directions at its dearest: an answer plays, somebody speaks, and everything is taken out of it. */
export function soundWork(speech: DemoSpeech): readonly WorkPart[] {
  const played = spoken(speech);
  const farEnd = new SincResampler(outputRate, inputRate).convert(played);
  const server = createServerCodec(bufferBase64);
  const answer = Array.from({ length: seconds }, (_none, second) => {
    const audio = played.slice(second * outputRate, (second + 1) * outputRate);
    return server.encodeServerEvent({ kind: 'output', wire: 'unified', audio }, 'unified').join('');
  });
  return [
    {
      name: 'listening',
      seconds,
      work: () => {
        listen(farEnd);
        return Promise.resolve(done);
      },
    },
    {
      name: 'answering',
      seconds,
      work: () => {
        const client = createClientCodec(bufferBase64);
        const card = new SincResampler(outputRate, cardRate);
        for (const frame of answer) {
          const event = client.decodeServerEvent(frame);
          if (event.kind === 'output' && event.audio !== undefined) card.convert(event.audio);
        }
        return Promise.resolve(done);
      },
    },
  ];
}

/** The answer comes back as an echo, half as loud and 40 ms late, over the same words said by somebody. */
function listen(farEnd: Float32Array): void {
  const client = createClientCodec(bufferBase64);
  const canceller = new AdaptiveCanceller();
  const chunk = new Float32Array(inputRate);
  let filled = 0;
  const pipeline = new CapturePipeline(
    {
      pushAudio: (block) => {
        const taken = block.subarray(0, chunk.length - filled);
        chunk.set(taken, filled);
        filled += taken.length;
        if (filled < chunk.length) return;
        client.encodeClientEvent({ kind: 'append', audio: chunk }, 'unified');
        filled = 0;
      },
    },
    { gain: () => 1, onLevel: () => undefined },
    undefined,
    new CaptureEnhancement(() => ({ noise: 'strong', level: 'strong' })),
  );
  pipeline.begin(undefined);
  const delay = (40 * inputRate) / 1000;
  const before = farEnd.length / 2;
  for (let from = 0; from + blockSamples <= farEnd.length; from += blockSamples) {
    const heard = Float32Array.from(
      { length: blockSamples },
      (_none, n) =>
        0.5 * (farEnd[from + n - delay] ?? 0) + (farEnd[(from + n + before) % farEnd.length] ?? 0),
    );
    canceller.process(heard, farEnd.slice(from, from + blockSamples));
    pipeline.push(heard, (from * 1000) / inputRate);
  }
}
