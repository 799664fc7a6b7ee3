import { describe, expect, it } from 'vitest';
import {
  lost,
  type FakeSession,
  ConversationHarness,
} from '../../../unit/electron/talk/conversation-harness.ts';

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
    // Speech is measured in blocks of 40 ms, so it ends in the middle of one.
    harness.talk.pushAudio(new Float32Array(320));
    harness.pass(before.clock.now() - harness.clock.now() - 20).pass(20, 0.3);
    expect(harness.sessions).toHaveLength(2);
    harness.pass(180, 0.3).live().pass(1000);
    expect(countLoud(harness.session.heard)).toBe(sampleRate / 5);
  });

  it('is sent once if the first next session was given up', () => {
    const harness = talkBeforeHandOver().pass(3000).pass(500, 0.3);
    // The present session answers something earlier, so the next one is given up.
    harness.sessions[0]?.emit({ event: 'text', turn: 2, text: 'By the way.' });
    harness.pass(40);
    harness.sessions[0]?.emit({ event: 'turnEnded', turn: 2 });
    harness.pass(16_000);
    expect(harness.sessions).toHaveLength(3);
    harness.live().pass(1000);
    expect(countLoud(harness.session.heard)).toBe(sampleRate / 2);
  });

  it('waits if it was spoken while the present session sent its backlog', () => {
    const harness = talkBeforeHandOver().pass(3000).pass(500, 0.3);
    const [first] = harness.sessions;
    if (first !== undefined) sends(first, 60);
    expect(countLoud(first?.heard ?? [])).toBe(0);
    harness.live().pass(1000);
    expect(countLoud(harness.session.heard)).toBe(sampleRate / 2);
  });

  it('is not sent again once it was answered', () => {
    const harness = talkBeforeHandOver().pass(1000, 0.3).says('Yes.', 0.5).ends().pass(3000);
    harness.live().pass(1000);
    expect(harness.emittedOf('handedOver')).toHaveLength(1);
    expect(countLoud(harness.session.heard)).toBe(0);
  });

  it('goes to the next session if said while that was opening', () => {
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
