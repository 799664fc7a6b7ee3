import { describe, expect, it } from 'vitest';
import { flushPromises } from '../../fakes/promises.ts';
import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { ClientEvent } from '../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import { fakeJpeg } from '../../fakes/fake-pictures.ts';
import { randomRuns, seeded } from '../../fakes/seeded.ts';
import { checkServerFrame } from '../../independent/document-checks.ts';
import {
  setGatewayScene,
  silence,
  spokenTo,
  voice,
} from '../../unit/electron/gateway/gateway-client.ts';

const codec = createServerCodec(bufferBase64);
const client = createClientCodec(bufferBase64);
const servers = (['documented', 'deployed'] as const).flatMap((profile) =>
  (['unified', 'legacy'] as const).map((dialect) => ({ profile, dialect })),
);

type Server = (typeof servers)[number];

/** Runs three clients with random events; returns every frame they receive. */
async function play({ profile, dialect }: Server, seed: number): Promise<readonly string[]> {
  const random = seeded(seed);
  const scene = setGatewayScene(
    { profile, dialect, workers: 1, queueLimit: 1, contextTokens: random() < 0.3 ? 150 : 8192 },
    { codec, random: seeded(seed + 1) },
  );
  const modes = dialect === 'unified' ? ['audio', 'video', 'chat'] : ['audio', 'video'];
  const mode = modes[seed % modes.length] ?? 'audio';
  const clients = [scene.enter(mode), scene.enter(mode), scene.enter(mode)];
  const said: readonly ClientEvent[] =
    mode === 'chat'
      ? [
          { kind: 'chat', messages: [{ role: 'user', content: 'Hello' }] },
          {
            kind: 'chat',
            messages: [{ role: 'user', content: 'help' }],
            streaming: false,
            speech: { enabled: true },
            inputId: 'chat-1',
          },
        ]
      : [
          { kind: 'append', audio: spokenTo, inputId: 'a-1' },
          { kind: 'append', audio: silence(1000) },
          { kind: 'append', audio: silence(1000), frames: [fakeJpeg], maxSlices: 2 },
          { kind: 'append', audio: voice(1000), forceListen: true },
        ];
  const goodbye = client.encodeClientEvent({ kind: 'close', reason: 'user_stop' }, dialect);
  const wrong = ['{"type":', '{"type":"what"}', '{}'];
  for (const guest of clients) {
    const settings = random() < 0.2 ? { generation: { generateAudio: false } } : {};
    guest.caller.receive(client.encodeClientEvent({ kind: 'configure', settings }, dialect));
  }
  for (let turn = 0; turn < 40; turn += 1) {
    const guest = clients[Math.floor(random() * clients.length)];
    const event = said[Math.floor(random() * said.length)];
    if (event !== undefined) guest?.caller.receive(client.encodeClientEvent(event, dialect));
    if (random() < 0.03) guest?.caller.receive(wrong[Math.floor(random() * wrong.length)]);
    if (random() < 0.02) guest?.caller.receive(goodbye);
    scene.clock.advance(1000);
    await flushPromises();
  }
  scene.clock.advance(random() < 0.5 ? 700_000 : 10_000);
  void scene.gateway.end();
  return clients.flatMap(({ frames }) => frames.map(({ text }) => text));
}

describe.each(servers)('a $profile $dialect gateway with random clients', (server) => {
  it('sends only frames that the documents or observed servers have', async () => {
    const by = server.profile === 'documented' ? 'documents' : 'servers in use';
    const types = new Set<string>();
    for (let seed = 0; seed < randomRuns(20); seed += 1) {
      for (const text of await play(server, seed)) {
        const frame: unknown = JSON.parse(text);
        expect(
          checkServerFrame(frame, server.dialect, by),
          `seed ${seed}: ${text.slice(0, 200)}`,
        ).toEqual([]);
        types.add(String((frame as { type?: unknown }).type));
      }
    }
    // Without all of these types the test would prove little.
    const spoken =
      server.dialect === 'legacy'
        ? ['response.listen', 'response.output_audio.delta']
        : ['response.done', 'response.output.delta'];
    for (const type of [
      ...spoken,
      'session.queued',
      'session.queue_update',
      'session.queue_done',
      'session.created',
      'session.closed',
      'error',
    ])
      expect(types, type).toContain(type);
  });
});
