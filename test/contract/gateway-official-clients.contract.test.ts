import { describe, expect, it, onTestFinished } from 'vitest';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { encodePcm } from '../../shared/protocol/base64-media.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { checkServerFrame } from '../independent/document-checks.ts';
import { StandInProcess } from '../llama-omni/stand-in-process.ts';
import { silence, spokenTo, voice } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient, gatewayHarness, gatewayKinds } from './gateway-harness.ts';

// Frames of other clients, as in the documents of the protocol and in the official pages. The pages configure the session
// once, 100 ms after opening, with a frame of 640 kB that has the voice twice, as float32.

const sound = (samples: Float32Array): string => encodePcm(samples, bufferBase64);
const jpeg = bufferBase64.encode(fakeJpeg);
/** Sent twice in a configure of some 640 kB. */
const longVoice = sound(voice(3750));

/** The frames of one client, in the order of a session. */
interface OfficialClient {
  readonly mode: 'audio' | 'video';
  readonly configure: string;
  /** A second with the user's words, and one without. */
  readonly spoken: string;
  readonly quiet: string;
  readonly goodbye: string;
}

const json = (frame: object): string => JSON.stringify(frame);
const goodbye = json({ type: 'session.close', reason: 'user_stop' });

const unifiedAppend = (samples: Float32Array, fields: object = {}): string =>
  json({ type: 'input.append', input: { audio: sound(samples), force_listen: false, ...fields } });
const legacyAppend = (samples: Float32Array, fields: object = {}): string =>
  json({
    type: 'input_audio_buffer.append',
    audio: sound(samples),
    force_listen: false,
    ...fields,
  });

const unifiedInit = json({
  type: 'session.init',
  payload: {
    system_prompt: 'You are a helpful assistant.',
    config: { length_penalty: 1.1 },
    voice: { ref_audio_base64: longVoice, tts_ref_audio_base64: longVoice },
  },
});

const officialClients = {
  unified: {
    'the video page': {
      mode: 'video',
      configure: unifiedInit,
      spoken: unifiedAppend(spokenTo, { video_frames: [jpeg], max_slice_nums: 1 }),
      quiet: unifiedAppend(silence(1000), { video_frames: [jpeg], max_slice_nums: 1 }),
      goodbye,
    },
    'a Python client': {
      mode: 'audio',
      configure: json({ type: 'session.init', payload: { instructions: 'Be brief.', config: {} } }),
      spoken: unifiedAppend(spokenTo, { hints: { force_listen: false } }),
      quiet: unifiedAppend(silence(1000)),
      goodbye: json({ type: 'session.close' }),
    },
  },
  legacy: {
    'the video page': {
      mode: 'video',
      configure: json({
        type: 'session.update',
        session: {
          instructions: 'You are a helpful assistant.',
          max_slice_nums: 1,
          ref_audio: longVoice,
          tts_ref_audio: longVoice,
        },
      }),
      spoken: legacyAppend(spokenTo, { video_frames: [jpeg], max_slice_nums: 1 }),
      quiet: legacyAppend(silence(1000), { video_frames: [jpeg], max_slice_nums: 1 }),
      goodbye,
    },
    'a probe': {
      mode: 'audio',
      configure: json({ type: 'session.update', session: { instructions: 'Be brief.' } }),
      spoken: legacyAppend(spokenTo),
      quiet: legacyAppend(silence(1000)),
      goodbye,
    },
  },
} as const satisfies Readonly<
  Record<'unified' | 'legacy', Readonly<Record<string, OfficialClient>>>
>;

const { serve, serveBackends } = gatewayHarness();

/** Every kind of gateway with every official client of its dialect. */
const cases = gatewayKinds.flatMap(({ profile, dialect }) =>
  Object.entries<OfficialClient>(officialClients[dialect]).map(([name, client]) => ({
    profile,
    dialect,
    name,
    client,
  })),
);

interface Expected {
  readonly answer: RegExp;
  /** The description that the gateway's messages must match. */
  readonly standard: Parameters<typeof checkServerFrame>[2];
}

/** Connects two official clients to a gateway with one worker, and checks that each has a talk, one after the other. */
async function expectTalks(
  url: string,
  dialect: DialectName,
  client: OfficialClient,
  { answer, standard }: Expected,
): Promise<void> {
  const first = await connect(url, dialect, client);
  const second = await connect(url, dialect, client);
  for (const page of [first, second]) {
    const frames: unknown[] = [];
    page.socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
    await page.received('created');
    for (let step = 0; firstText(page) === undefined; step += 1) {
      if (page.kinds.includes('closed')) throw new Error('the session has ended');
      page.socket.send(step % 2 === 0 ? client.spoken : client.quiet);
      await page.next();
    }
    expect(firstText(page)).toMatch(answer);
    page.socket.send(client.goodbye);
    const { reason } = await page.received('closed');
    expect(reason).toMatch(/^(?:stopped|user_stop|client_closed)$/);
    await page.ended;
    expect(frames.flatMap((frame) => checkServerFrame(frame, dialect, standard))).toEqual([]);
    expect(page.kinds).not.toContain('error');
  }
  expect(second.kinds).toContain('queued');
}

/** The official pages configure the session 100 ms after they have connected. */
async function connect(url: string, dialect: DialectName, client: OfficialClient) {
  const page = new GatewayClient(`${url}?mode=${client.mode}`, dialect);
  await page.next();
  await new Promise((resolve) => setTimeout(resolve, 100));
  page.socket.send(client.configure);
  return page;
}

const firstText = ({ events }: GatewayClient): string | undefined =>
  events.flatMap((event) => (event.kind === 'output' && event.text ? [event.text] : []))[0];

describe.each(cases)('$name with a $profile $dialect gateway', ({ profile, dialect, client }) => {
  it('is answered even with more pages than workers', async () => {
    const url = await serve({ profile, dialect, workers: 1 });
    const standard = profile === 'documented' ? 'documents' : 'servers in use';
    await expectTalks(url, dialect, client, { answer: /^Hello/, standard });
  });
});

const deployed = cases.filter(({ profile }) => profile === 'deployed');

describe.each(deployed)('$name with a $profile $dialect gateway', ({ dialect, client }) => {
  it('is answered by a model server behind the gateway', async () => {
    const model = new StandInProcess();
    onTestFinished(() => model.end());
    await model.start({ takesAnyPace: true, loadMs: 10, stepMs: 10, lateSound: { ms: 20 } });
    const url = await serveBackends([connectBackend(new URL(model.url))], { dialect });
    await expectTalks(url, dialect, client, { answer: /./, standard: 'servers in use' });
    expect((await model.report()).isPromptComplete).toBe(true);
  });
});
