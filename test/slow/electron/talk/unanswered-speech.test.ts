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

/** A talk whose session ends in less than half a minute, so that the next pause begins a hand-over. */
function talkBeforeHandOver(): ConversationHarness {
  const stage = new ConversationHarness({ handsOver: true, sessionSeconds: 60 }).live();
  return stage.says('Hello.', 0.5).ends().pass(28_000);
}

describe('speech that was not answered before a hand-over', () => {
  it('is sent once to the next session', () => {
    const stage = talkBeforeHandOver().pass(1000, 0.3).pass(9500);
    expect(stage.sessions).toHaveLength(2);
    stage.live().pass(1000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
    expect(stage.sessions[0]?.calls).toContain('end');
    expect(countLoud(stage.session.heard)).toBe(sampleRate);
  });

  it('is sent again without the pause in which the answer was awaited', () => {
    const stage = talkBeforeHandOver().pass(1000, 0.3).pass(9500);
    stage.live().pass(20);
    for (let count = 0; count < 12; count += 1) sends(stage.session, 1);
    // The pre-roll, the speech itself, and the pause that marks its end.
    expect(stage.session.heard.length).toBeLessThan(5 * sampleRate);
    expect(countLoud(stage.session.heard)).toBe(sampleRate);
  });

  it('is sent again from its start, which was too short to be detected as speech', () => {
    const before = talkBeforeHandOver();
    while (before.sessions.length < 2) before.pass(20);
    const stage = talkBeforeHandOver();
    // Speech is measured in blocks of 40 ms, so it ends in the middle of one.
    stage.talk.pushAudio(new Float32Array(320));
    stage.pass(before.clock.now() - stage.clock.now() - 20).pass(20, 0.3);
    expect(stage.sessions).toHaveLength(2);
    stage.pass(180, 0.3).live().pass(1000);
    expect(countLoud(stage.session.heard)).toBe(sampleRate / 5);
  });

  it('is sent once if the first next session was given up', () => {
    const stage = talkBeforeHandOver().pass(3000).pass(500, 0.3);
    // The present session answers something earlier, so the next one is given up.
    stage.sessions[0]?.emit({ event: 'text', turn: 2, text: 'By the way.' });
    stage.pass(40);
    stage.sessions[0]?.emit({ event: 'turnEnded', turn: 2 });
    stage.pass(16_000);
    expect(stage.sessions).toHaveLength(3);
    stage.live().pass(1000);
    expect(countLoud(stage.session.heard)).toBe(sampleRate / 2);
  });

  it('waits if it was spoken while the present session sent its backlog', () => {
    const stage = talkBeforeHandOver().pass(3000).pass(500, 0.3);
    const [first] = stage.sessions;
    if (first !== undefined) sends(first, 60);
    expect(countLoud(first?.heard ?? [])).toBe(0);
    stage.live().pass(1000);
    expect(countLoud(stage.session.heard)).toBe(sampleRate / 2);
  });

  it('is not sent again once it was answered', () => {
    const stage = talkBeforeHandOver().pass(1000, 0.3).says('Yes.', 0.5).ends().pass(3000);
    stage.live().pass(1000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
    expect(countLoud(stage.session.heard)).toBe(0);
  });

  it('goes to the next session if said while that was opening', () => {
    const stage = talkBeforeHandOver().pass(3000);
    expect(stage.sessions).toHaveLength(2);
    stage.pass(500, 0.3);
    expect(countLoud(stage.sessions[0]?.heard ?? [])).toBe(0);
    stage.live().pass(1000);
    expect(countLoud(stage.session.heard)).toBe(sampleRate / 2);
  });

  it('goes to the present session if the next one is late', () => {
    const stage = talkBeforeHandOver().pass(3000).pass(500, 0.3).pass(4000);
    expect(countLoud(stage.sessions[0]?.heard ?? [])).toBe(sampleRate / 2);
    expect(stage.emittedOf('handedOver')).toEqual([]);
    stage.live().pass(10_000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
  });

  it('survives if the present session ends while the next one opens', () => {
    const stage = talkBeforeHandOver().pass(3000).pass(500, 0.3);
    stage.sessions[0]?.close(lost);
    expect(stage.state?.phase).toBe('reconnecting');
    stage.live().pass(1000);
    expect(stage.state?.phase).toBe('live');
    expect(countLoud(stage.session.heard)).toBe(sampleRate / 2);
  });
});

it('a talk warns of its end in time after two next sessions were refused', () => {
  const stage = talkBeforeHandOver();
  for (let refused = 0; refused < 2; refused += 1) {
    const before = stage.sessions.length;
    for (let waited = 0; waited < 15_000 && stage.sessions.length === before; waited += 20)
      stage.pass(20);
    stage.session.close(lost);
  }
  expect(stage.sessions).toHaveLength(3);
  expect(stage.emittedOf('warning')).toEqual([]);
  stage.pass(8000);
  expect(stage.emittedOf('warning').map(({ warning }) => warning.threshold)).toEqual([15]);
});
