import { describe, expect, it } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import {
  defaultGatewayOptions,
  type GatewayOptions,
} from '../../../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../../../electron/gateway/in-process-sockets.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { ConversationOptions } from '../../../../electron/talk/conversation-options.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { seeded } from '../../../fakes/seeded.ts';
import {
  BreakableSockets,
  askAndWait,
  gatewayHarness,
} from '../../../unit/electron/talk/gateway-harness.ts';
import type { ConversationHarness } from '../../../unit/electron/talk/conversation-harness.ts';

const limit = 60;

interface Talk {
  readonly harness: ConversationHarness;
  readonly line: BreakableSockets;
}

function talkWith(
  gateway: Partial<GatewayOptions> = {},
  options: Partial<ConversationOptions> = {},
  line = new BreakableSockets(),
): Talk {
  const harness = gatewayHarness(
    { sessionSeconds: { audio: limit, video: limit }, ...gateway },
    {
      handsOver: true,
      sessionSeconds: limit,
      bargeIn: { ...defaultBargeInOptions, enabled: false },
      ...options,
    },
    fakeSpeech,
    line,
  );
  untilLive(harness);
  return { harness, line };
}

function untilLive(harness: ConversationHarness, seconds = 30): void {
  for (let waited = 0; waited < seconds && harness.state?.phase !== 'live'; waited += 1)
    harness.pass(1000);
  expect(harness.state?.phase).toBe('live');
}

/** Asks a question, and expects an answer that is heard. */
function expectAnswered(harness: ConversationHarness): void {
  const before = harness.emittedOf('turnHeard').length;
  askAndWait(harness);
  harness.pass(9000);
  expect(harness.emittedOf('turnHeard').length).toBeGreaterThan(before);
}

/** Expects that the talk reconnected because of this error, is live within 3 s and answers. */
function expectContinues({ harness }: Talk, code: string): void {
  const reconnecting = harness
    .emittedOf('talk')
    .findLast(({ state }) => state.phase === 'reconnecting');
  const error = reconnecting?.state.phase === 'reconnecting' ? reconnecting.state.error : undefined;
  expect(error?.code).toBe(code);
  expect(error && describeAppError(error)).toMatch(/^[A-Z].{10,}\.$/u);
  untilLive(harness, 3);
  expect(harness.phases).not.toContain('ended');
  expectAnswered(harness);
}

const codes: readonly (readonly [number, string])[] = [
  [1006, 'connectionLost'],
  [1000, 'closedSilently'],
  [1011, 'serverFailed'],
];

describe.each(codes)('a talk whose server closes with %i', (code, error) => {
  it.each([30, 89])('continues after %i s', (seconds) => {
    const talk = talkWith({}, { sessionSeconds: 600 });
    askAndWait(talk.harness);
    talk.harness.pass(Math.max(0, seconds * 1000 - talk.harness.clock.now()));
    talk.line.close(code);
    expectContinues(talk, error);
  });

  it('keeps the part of the answer that was heard', () => {
    const talk = talkWith();
    askAndWait(talk.harness);
    talk.harness.pass(1000);
    talk.line.close(code);
    talk.harness.pass(6000);
    const [heard] = talk.harness.emittedOf('turnHeard');
    expect(heard?.heard.length).toBeGreaterThan(3);
    expectContinues(talk, error);
  });

  it('continues if the server closes during a hand-over', () => {
    const talk = talkWith({ stepMs: 1000 });
    const { harness } = talk;
    const opened = harness.emittedOf('session').length;
    expectAnswered(harness);
    for (let waited = 0; waited < 60_000 && !talk.line.beginsAnother; waited += 20)
      harness.pass(20);
    expect(talk.line.beginsAnother).toBe(true);
    // The user begins to speak, and the server closes both sessions.
    harness.pass(300, 0.3);
    talk.line.close(code);
    harness.pass(400, 0.3);
    expect(harness.emittedOf('session')).toHaveLength(opened);
    untilLive(harness, 5);
    harness.pass(6000);
    expect(harness.emittedOf('audio').length).toBeGreaterThan(0);
    expect(harness.phases).not.toContain('ended');
    expect(harness.emittedOf('turnHeard').length).toBeGreaterThan(1);
  });
});

describe.each(codes)('a server that closes each session with %i at the same age', (code) => {
  it('is recognized as limited, so that later sessions are handed over in time', () => {
    const line = new BreakableSockets({ ms: 44_000, code });
    const long = { sessionSeconds: { audio: 600, video: 600 } };
    const { harness } = talkWith(long, { sessionSeconds: 600 }, line);
    for (let asked = 0; asked < 24; asked += 1) expectAnswered(harness);
    expect(harness.phases.filter((phase) => phase === 'reconnecting').length).toBeGreaterThan(1);
    const handOvers = harness.emittedOf('handedOver').length;
    expect(handOvers).toBeGreaterThan(1);
    const before = harness.phases.length;
    for (let asked = 0; asked < 12; asked += 1) expectAnswered(harness);
    expect(harness.emittedOf('handedOver').length).toBeGreaterThan(handOvers + 2);
    expect(harness.phases.slice(before)).toEqual([]);
  });
});

function otherServer(harness: ConversationHarness, options: Partial<GatewayOptions>) {
  const { clock } = harness;
  const codec = createServerCodec(bufferBase64);
  const deps = { clock, random: seeded(9), codec, pictures: fakePictures(), speech: fakeSpeech };
  return inProcessSockets(openGateway({ ...defaultGatewayOptions, ...options }, deps), clock);
}

describe('the next session', () => {
  it.each([503, 403, 429])('leaves the talk running if it is refused with %i', (status) => {
    const refuse = { kind: 'refuse', session: 2, status, body: 'no' } as const;
    const talk = talkWith({ faults: [refuse] });
    for (let asked = 0; asked < 8; asked += 1) expectAnswered(talk.harness);
    expect(talk.harness.phases).not.toContain('ended');
    expect(talk.harness.emittedOf('handedOver').length).toBeGreaterThan(0);
  });

  it('queues at place 9 while the old session runs, and goes live after the old session has ended', () => {
    const talk = talkWith({ workers: 1 });
    const { harness } = talk;
    const others = talk.line.connectOthers(8);
    for (let asked = 0; asked < 3; asked += 1) expectAnswered(harness);
    for (let waited = 0; waited < 60 && harness.state?.phase === 'live'; waited += 1)
      harness.pass(1000);
    expect(harness.state?.phase).toBe('queued');
    expect(harness.emittedOf('queue')[0]).toMatchObject({ position: 9 });
    others.leave();
    untilLive(harness);
    expectAnswered(harness);
    expect(harness.phases).not.toContain('ended');
  });

  it.each(['unified', 'legacy'] as const)(
    'is understood even if it no longer speaks %s',
    (dialect) => {
      const talk = talkWith({ dialect }, { dialect: 'auto' });
      const other = dialect === 'unified' ? 'legacy' : 'unified';
      expectAnswered(talk.harness);
      const sockets = otherServer(talk.harness, { dialect: other, profile: 'documented' });
      talk.line.leadTo(sockets);
      for (let asked = 0; asked < 8; asked += 1) expectAnswered(talk.harness);
      expect(talk.harness.phases).not.toContain('ended');
      expect(talk.harness.emittedOf('session').map((each) => each.dialect)).toContain(other);
    },
  );
});
