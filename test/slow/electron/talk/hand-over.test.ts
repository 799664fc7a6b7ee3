import { describe, expect, it } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import {
  defaultGatewayOptions,
  type GatewayOptions,
} from '../../../../electron/gateway/gateway-options.ts';
import type {
  ConversationOptions,
  ConversationDeps,
} from '../../../../electron/talk/conversation-options.ts';
import { englishCarryOver } from '../../../../shared/i18n/en/prompts.ts';
import { askAndWait, gatewayHarness } from '../../../unit/electron/talk/gateway-harness.ts';
import { LongTalk, medianOf, serverKinds } from '../../../unit/electron/talk/long-talk.ts';
import {
  ConversationHarness,
  lost,
  type FakeSession,
} from '../../../unit/electron/talk/conversation-harness.ts';
import { openGateway } from '../../../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../../../electron/gateway/in-process-sockets.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { openSession } from '../../../../electron/talk/session/session.ts';
import { shortenByChat } from '../../../../electron/talk/transcript-shortener.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { seeded } from '../../../fakes/seeded.ts';

const limit = 60;
const minute = { sessionSeconds: { audio: limit, video: limit } } as const;

/** Starts a talk with sessions of a minute, unless `gateway` has other ones. `options.sessionSeconds` is the limit that Parley knows. */
function longTalk(
  gateway: Partial<GatewayOptions> = {},
  options: Partial<ConversationOptions> = {},
): ConversationHarness {
  const harness = gatewayHarness(
    { ...minute, ...gateway },
    {
      handsOver: true,
      sessionSeconds: limit,
      bargeIn: { ...defaultBargeInOptions, enabled: false },
      ...options,
    },
  );
  for (let waited = 0; waited < 30 && harness.state?.phase !== 'live'; waited += 1)
    harness.pass(1000);
  expect(harness.state?.phase).toBe('live');
  return harness;
}

/** Asks this many questions a few seconds apart. */
function talk(
  harness: ConversationHarness,
  questions: number,
  pauseMs = 9000,
): ConversationHarness {
  for (let asked = 0; asked < questions; asked += 1) {
    askAndWait(harness);
    harness.pass(pauseMs);
  }
  return harness;
}

function expectAllHeard(harness: ConversationHarness, questions: number): void {
  const heard = harness.emittedOf('turnHeard');
  expect(heard.filter(({ cut }) => cut !== '')).toEqual([]);
  expect(new Set(heard.map(({ turn }) => turn)).size).toBe(heard.length);
  expect(heard).toHaveLength(questions);
}

describe.each(serverKinds)('a talk over many sessions, %s and %s', (dialect, profile) => {
  it('continues over sessions of a minute without losing a word of an answer', () => {
    const harness = longTalk({ dialect, profile });
    const before = harness.phases.length;
    talk(harness, 15);
    const handOvers = harness.emittedOf('handedOver');
    expect(handOvers.length).toBeGreaterThanOrEqual(3);
    for (const { heldMs } of handOvers) expect(heldMs).toBeLessThanOrEqual(700);
    expect(harness.phases.slice(before)).toEqual([]);
    expect(harness.emittedOf('warning')).toEqual([]);
    expectAllHeard(harness, 15);
  });

  it('loses no word of either side in ten hand-overs, and delays answers by at most 700 ms (median)', () => {
    const maxAddedMs = 700;
    const talk = new LongTalk([dialect, profile], 30);
    const before = talk.phases.length;
    while (talk.handOvers < 10 && talk.questions.length < 150) talk.turn();
    expect(talk.handOvers).toBe(10);
    expect(talk.phases.slice(before)).toEqual([]);
    expect(talk.uplink()).toMatchObject({ missing: 0, disorder: 0 });
    expect(talk.questions.filter(({ waitedMs }) => waitedMs === undefined)).toEqual([]);
    expect(talk.answers()).toEqual({ notHeard: [], cut: [] });
    const { across, within } = talk.waitingTimes();
    // Without questions during a hand-over, the comparison would show nothing.
    expect(across.length).toBeGreaterThan(0);
    expect(medianOf(across) - medianOf(within)).toBeLessThanOrEqual(maxAddedMs);
    const added = talk.silences.map(({ silenceMs, serverMs }) => silenceMs - serverMs);
    expect(medianOf(added)).toBeLessThanOrEqual(maxAddedMs);
  }, 60_000);
});

/** Each message takes this long, so a session starts in up to three seconds. */
const slowAnswers = [{ kind: 'delay', ms: 600, jitterMs: 500 }] as const;

it.each(serverKinds)(
  'a talk loses no word of the user over a slow network, %s and %s',
  (dialect, profile) => {
    const talk = new LongTalk([dialect, profile], 30, slowAnswers);
    while (talk.handOvers < 8 && talk.questions.length < 120) talk.turn();
    expect(talk.handOvers).toBe(8);
    expect(Math.max(...talk.silences.map(({ serverMs }) => serverMs))).toBeGreaterThan(1500);
    expect(talk.uplink()).toMatchObject({ missing: 0, disorder: 0 });
  },
  60_000,
);

describe('the next session', () => {
  it('opens after the present session has ended if the server has only one worker', () => {
    const harness = talk(longTalk({ workers: 1 }), 12);
    expect(harness.state?.phase).toBe('live');
    expect(harness.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(harness.phases).toContain('reconnecting');
    expect(harness.emittedOf('turnHeard').length).toBeGreaterThanOrEqual(11);
  });

  it('follows a session that ends earlier than expected, and Parley learns that limit', () => {
    const harness = talk(
      longTalk({ sessionSeconds: { audio: 40, video: 40 } }, { sessionSeconds: 600 }),
      14,
    );
    expect(harness.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(harness.phases.filter((phase) => phase === 'reconnecting')).toHaveLength(1);
    expect(harness.emittedOf('handedOver').length).toBeGreaterThanOrEqual(2);
  });

  it.each([500, 1500])(
    'follows a session whose %d tokens are full, and the size is learned',
    (size) => {
      const hour = { sessionSeconds: { audio: 3600, video: 3600 } };
      const harness = longTalk(
        { ...hour, profile: 'documented', contextTokens: size },
        { sessionSeconds: 3600 },
      );
      talk(harness, 50, 4000);
      expect(harness.phases.filter((phase) => phase === 'ended')).toEqual([]);
      expect(harness.phases.filter((phase) => phase === 'reconnecting')).toHaveLength(1);
      expect(harness.emittedOf('handedOver').length).toBeGreaterThan(0);
    },
  );

  it('does not follow a session in which nobody talks', () => {
    const harness = longTalk();
    harness.pass(80_000);
    expect(harness.emittedOf('handedOver')).toEqual([]);
    expect(harness.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    // The warning lets a user who returns speak before the end.
    expect(harness.emittedOf('warning').length).toBeGreaterThan(0);
  });
});

const talkedSeconds = 130;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Runs a long talk on a server of short sessions until the second session has its instructions, which it returns as lines. */
async function talkOverTwo(gateway: Partial<GatewayOptions>) {
  const clock = new FakeClock();
  const random = seeded(2);
  const codec = createClientCodec(bufferBase64);
  const server = openGateway(
    {
      ...defaultGatewayOptions,
      sessionSeconds: { audio: talkedSeconds, video: talkedSeconds },
      ...gateway,
    },
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
      sessionSeconds: talkedSeconds,
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
  for (let at = 0; at < talkedSeconds * 1000 && harness.emittedOf('handedOver').length === 0;) {
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
    ['has no free place for the request', { workers: 1 }, 0],
    [
      'fails at the request',
      { faults: [{ kind: 'error', session: 2, atStep: 1, code: 'bad' }] },
      1,
    ],
    ['never answers the request', { faults: [{ kind: 'stall', session: 2, atStep: 1 }] }, 1],
    [
      'answers the request with garbage',
      { faults: [{ kind: 'garbage', session: 2, atStep: 1, what: 'huge' }] },
      1,
    ],
    ['drops the connection', { faults: [{ kind: 'drop', session: 2, atStep: 1 }] }, 1],
  ])('continues without a summary if the server %s', async (_what, gateway, handOvers) => {
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

const sampleRate = 16_000;

/** Counts the samples of speech. */
const countLoud = (samples: readonly number[]): number =>
  samples.filter((sample) => sample > 0.2).length;

/** The session sends seconds of sound. */
function sends(session: FakeSession, seconds: number): void {
  const samples = seconds * sampleRate;
  session.emit({ event: 'sent', inputId: 'one', samples, frames: 0, forceListen: false });
}

/** A talk shortly before half of its session's minute; from then on, a pause begins a hand-over. */
function talkBeforeHandOver(): ConversationHarness {
  const harness = new ConversationHarness({ handsOver: true, sessionSeconds: 60 }).live();
  return harness.says('Hello.', 0.5).ends().pass(28_000);
}

describe('speech that was not answered before a hand-over', () => {
  it('is sent once to the next session', () => {
    const harness = talkBeforeHandOver().pass(1000, 0.3).pass(9500);
    expect(harness.sessions).toHaveLength(2);
    harness.live().pass(1000);
    expect(harness.emittedOf('handedOver')).toHaveLength(1);
    expect(harness.sessions[0]?.calls).toContain('end');
    expect(countLoud(harness.session.heard)).toBe(sampleRate);
  });

  it('is sent again without the pause in which the answer was awaited', () => {
    const harness = talkBeforeHandOver().pass(1000, 0.3).pass(9500);
    harness.live().pass(20);
    for (let count = 0; count < 12; count += 1) sends(harness.session, 1);
    // The pre-roll, the speech itself, and the pause that marks its end.
    expect(harness.session.heard.length).toBeLessThan(5 * sampleRate);
    expect(countLoud(harness.session.heard)).toBe(sampleRate);
  });

  it('is sent again from its start, which was too short to be detected as speech', () => {
    const before = talkBeforeHandOver();
    while (before.sessions.length < 2) before.pass(20);
    const harness = talkBeforeHandOver();
    // Speech is measured in blocks of 40 ms. This half block shifts them, so that the hand-over comes in the middle of one.
    harness.talk.pushAudio(new Float32Array(320));
    harness.pass(before.clock.now() - harness.clock.now() - 20).pass(20, 0.3);
    expect(harness.sessions).toHaveLength(2);
    harness.pass(180, 0.3).live().pass(1000);
    expect(countLoud(harness.session.heard)).toBe(sampleRate / 5);
  });

  it('is not sent again after it has been answered', () => {
    const harness = talkBeforeHandOver().pass(1000, 0.3).says('Yes.', 0.5).ends().pass(3000);
    harness.live().pass(1000);
    expect(harness.emittedOf('handedOver')).toHaveLength(1);
    expect(countLoud(harness.session.heard)).toBe(0);
  });

  it('goes to the next session if the user says it while that session opens', () => {
    const harness = talkBeforeHandOver().pass(3000);
    expect(harness.sessions).toHaveLength(2);
    harness.pass(500, 0.3);
    expect(countLoud(harness.sessions[0]?.heard ?? [])).toBe(0);
    harness.live().pass(1000);
    expect(countLoud(harness.session.heard)).toBe(sampleRate / 2);
  });

  it('goes to the present session if the next one is late', () => {
    const harness = talkBeforeHandOver().pass(3000).pass(500, 0.3).pass(4000);
    expect(countLoud(harness.sessions[0]?.heard ?? [])).toBe(sampleRate / 2);
    expect(harness.emittedOf('handedOver')).toEqual([]);
    harness.live().pass(10_000);
    expect(harness.emittedOf('handedOver')).toHaveLength(1);
  });

  it('survives if the present session ends while the next one opens', () => {
    const harness = talkBeforeHandOver().pass(3000).pass(500, 0.3);
    harness.sessions[0]?.close(lost);
    expect(harness.state?.phase).toBe('reconnecting');
    harness.live().pass(1000);
    expect(harness.state?.phase).toBe('live');
    expect(countLoud(harness.session.heard)).toBe(sampleRate / 2);
  });

  it('survives if the computer sleeps while the next session opens', () => {
    const harness = talkBeforeHandOver();
    while (harness.sessions.length < 2) harness.pass(20);
    harness.sessions[0]?.emit({ event: 'listen', yields: false });
    harness.pass(1500, 0.3).talk.onSystemWake();
    expect(harness.state?.phase).toBe('reconnecting');
    harness.talk.onNetworkBack();
    harness.live();
    for (let count = 0; count < 3; count += 1) sends(harness.session, 1);
    expect(countLoud(harness.session.heard)).toBe(1.5 * sampleRate);
  });
});

it('a talk warns of its end in time after two next sessions were refused', () => {
  const harness = talkBeforeHandOver();
  for (let refused = 0; refused < 2; refused += 1) {
    const before = harness.sessions.length;
    for (let waited = 0; waited < 15_000 && harness.sessions.length === before; waited += 20)
      harness.pass(20);
    harness.session.close(lost);
  }
  expect(harness.sessions).toHaveLength(3);
  expect(harness.emittedOf('warning')).toEqual([]);
  harness.pass(8000);
  expect(harness.emittedOf('warning').map(({ warning }) => warning.threshold)).toEqual([15]);
});
