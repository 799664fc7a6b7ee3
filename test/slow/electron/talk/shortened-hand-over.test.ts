import { describe, expect, it } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import {
  defaultGatewayOptions,
  type GatewayOptions,
} from '../../../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../../../electron/gateway/in-process-sockets.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { ConversationDeps } from '../../../../electron/talk/conversation-options.ts';
import { openSession } from '../../../../electron/talk/session/session.ts';
import { shortenByChat } from '../../../../electron/talk/transcript-shortener.ts';
import { englishCarryOver } from '../../../../shared/i18n/en/prompts.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { ConversationHarness } from '../../../unit/electron/talk/conversation-harness.ts';

const limit = 130;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Runs a long talk on a server of short sessions until the second session has its instructions, which it returns as lines. */
async function talkOverTwo(gateway: Partial<GatewayOptions>) {
  const clock = new FakeClock();
  const random = seeded(2);
  const codec = createClientCodec(bufferBase64);
  const server = openGateway(
    { ...defaultGatewayOptions, sessionSeconds: { audio: limit, video: limit }, ...gateway },
    {
      clock,
      random,
      codec: createServerCodec(bufferBase64),
      pictures: fakePictures(),
      speech: fakeSpeech,
    },
  );
  const modes: string[] = [];
  const instructions: (string | undefined)[] = [];
  const open: ConversationDeps['openSession'] = (options, emit) => {
    modes.push(options.mode);
    if (options.mode !== 'chat') instructions.push(options.settings.instructions);
    const sockets = inProcessSockets(server, clock);
    const rememberDialect = (): void => undefined;
    return openSession(options, { sockets, clock, random, codec, emit, rememberDialect });
  };
  const harness = new ConversationHarness(
    {
      handsOver: true,
      sessionSeconds: limit,
      bargeIn: { ...defaultBargeInOptions, enabled: false },
      dialect: gateway.dialect ?? 'unified',
      earlier: Array.from({ length: 90 }, (_, at) => ({
        text: `The answer number ${at} was this one. There was more to it, which took some words.`,
        cut: false,
      })),
    },
    { openSession: open, shorten: shortenByChat('auto', { clock, openSession: open }) },
    clock,
  );
  for (let at = 0; at < limit * 1000 && harness.emittedOf('handedOver').length === 0;) {
    // The answer arrives in pieces.
    const ms = modes.at(-1) === 'chat' ? 100 : 1000;
    // Without a question now and then, no hand-over follows.
    harness.pass(ms, at % 20_000 < 1000 ? 0.3 : 0);
    at += ms;
    await settle();
  }
  return { harness, modes, instructions: instructions.at(-1)?.split('\n') ?? [] };
}

describe.each(['documented', 'deployed'] as const)('a long talk with a %s server', (profile) => {
  it("continues with the summary that the server's chat made of its oldest part", async () => {
    const { harness, modes, instructions } = await talkOverTwo({ profile });
    expect(modes).toEqual(['audio', 'chat', 'audio']);
    const [short = '', ...others] = instructions.filter((line) => line.startsWith('- '));
    expect(short).toMatch(
      new RegExp(`^- ${englishCarryOver.shortened} The answer number \\d+`, 'u'),
    );
    expect(others).toContain(
      '- The answer number 89 was this one. There was more to it, which took some words.',
    );
    expect(harness.emittedOf('handedOver').map(({ heldMs }) => heldMs <= 700)).toEqual([true]);
  });

  it.each<readonly [string, Partial<GatewayOptions>, number]>([
    ['has no place free for it', { workers: 1 }, 0],
    ['fails at it', { faults: [{ kind: 'error', session: 2, atStep: 1, code: 'bad' }] }, 1],
    ['never answers it', { faults: [{ kind: 'stall', session: 2, atStep: 1 }] }, 1],
    [
      'answers it with rubbish',
      { faults: [{ kind: 'garbage', session: 2, atStep: 1, what: 'huge' }] },
      1,
    ],
    ['drops it', { faults: [{ kind: 'drop', session: 2, atStep: 1 }] }, 1],
  ])('continues as before if it %s', async (_what, gateway, handOvers) => {
    const { harness, modes, instructions } = await talkOverTwo({ profile, ...gateway });
    expect(modes.slice(0, 3)).toEqual(['audio', 'chat', 'audio']);
    expect(instructions.some((line) => line.includes(englishCarryOver.shortened))).toBe(false);
    expect(instructions.some((line) => line.endsWith('was this one. …'))).toBe(true);
    const inTime = harness.emittedOf('handedOver').map(({ heldMs }) => heldMs <= 700);
    expect(inTime).toEqual(Array.from({ length: handOvers }, () => true));
    expect(harness.emittedOf('error')).toEqual([]);
  });
});

it('a legacy server is not asked for a summary', async () => {
  const { harness, modes } = await talkOverTwo({ dialect: 'legacy' });
  expect(modes).toEqual(['audio', 'audio']);
  expect(harness.emittedOf('handedOver')).toHaveLength(1);
});
