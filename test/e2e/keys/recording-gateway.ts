import { resolve } from 'node:path';
import { defaultGatewayOptions } from '../../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../../electron/gateway/gateway.ts';
import { loadDemoSpeech } from '../../../electron/platform/files/demo-speech.ts';
import { serveGateway } from '../../../electron/platform/gateway/gateway-server.ts';
import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';
import type { ChatTurnEvent } from '../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import { instant } from '../../contract/sound/player.ts';
import { fakePictures } from '../../fakes/fake-pictures.ts';

export interface ReceivedAppend {
  /** When its bytes arrived, by the clock of `instant`. */
  readonly at: number;
  readonly audio: Float32Array;
}

export interface RecordingGateway {
  readonly url: string;
  readonly heard: readonly ReceivedAppend[];
  /** The pictures of chat questions. */
  readonly seen: readonly Uint8Array[];
}

/** Serves the embedded gateway in the test's process, and records the sound of appends with their times, and pictures. */
export async function serveRecordingGateway(lifetime: Lifetime): Promise<RecordingGateway> {
  const speech = await loadDemoSpeech(resolve(import.meta.dirname, '../../../resources/speech'));
  if (!speech.ok) throw new Error(speech.error.code);
  const heard: ReceivedAppend[] = [];
  const seen: Uint8Array[] = [];
  const codec = createServerCodec(bufferBase64);
  const gateway = openGateway(defaultGatewayOptions, {
    clock: systemClock,
    random: Math.random,
    pictures: fakePictures(),
    speech: speech.value,
    codec: {
      ...codec,
      decodeClientEvent: (text, dialect, reading) => {
        const at = instant();
        const event = codec.decodeClientEvent(text, dialect, reading);
        if (event.kind === 'append') heard.push({ at, audio: event.audio });
        if (event.kind === 'chat') seen.push(...picturesIn(event));
        return event;
      },
    },
  });
  const log = { write: () => undefined };
  const served = await serveGateway(gateway, { port: 0, log });
  if (!served.ok) throw new Error(served.error.code);
  lifetime.add(() => served.value.end());
  return { url: served.value.url, heard, seen };
}

function picturesIn({ messages }: ChatTurnEvent): readonly Uint8Array[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return parts.flatMap((part) => (part.type === 'image' ? [part.image] : []));
}
