import { defaultGatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { printLine } from './bench-helpers.ts';
import { measureLoad } from './gateway-load.ts';

const clients = 50;
const seconds = 15;
const settlingMs = 3000;

/** The limit: the server handles 50 talking clients on one core, uncompressed and compressed. */
export async function bench(): Promise<void> {
  for (const compressed of [false, true]) await measure(compressed);
}

async function measure(compressed: boolean): Promise<void> {
  const speech = await loadDemoSpeech('resources/speech');
  if (!speech.ok) throw new Error(speech.error.code);
  const gateway = openGateway(
    { ...defaultGatewayOptions, workers: clients },
    {
      clock: systemClock,
      random: Math.random,
      codec: createServerCodec(bufferBase64),
      pictures: fakePictures(),
      speech: speech.value,
    },
  );
  const load = await measureLoad(gateway, { clients, compressed, settlingMs, seconds });
  const { appends, listens, sound, worst } = load.counts;
  printLine(
    `${clients} talking clients, ${compressed ? 'compressed' : 'uncompressed'}, ${seconds} s`,
  );
  printLine(
    `  ${percent(load.coreShare)} of a core in all threads, the event loop busy ${percent(load.loopShare)}`,
  );
  printLine(`  ${appends} appends, ${listens} listens, ${sound} s of sound`);
  printLine(
    `  slowest answer after ${worst.toFixed(0)} ms, of which ${defaultGatewayOptions.stepMs} are the model's; ` +
      `RSS ${load.rssMb.toFixed(0)} MB`,
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
