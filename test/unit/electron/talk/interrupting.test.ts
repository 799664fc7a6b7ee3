import { describe, expect, it } from 'vitest';
import { ConversationHarness } from './conversation-harness.ts';

const speaking = (): ConversationHarness =>
  new ConversationHarness().live().says('one two three four five six', 3).pass(1000);

describe('an interruption', () => {
  it('silences in the same tick, before the model knows', () => {
    const harness = speaking();
    const queued: number[] = [harness.speaker.queued()];
    harness.session.onInterrupt = () => void queued.push(harness.speaker.queued());
    harness.talk.interrupt();
    expect(queued[0]).toBeGreaterThan(0);
    expect(queued[1]).toBe(0);
  });

  it('reports the unheard samples once, when the model yields', () => {
    const harness = speaking();
    harness.talk.interrupt();
    const unheard = 3 * 24_000 - harness.speaker.heard();
    expect(unheard).toBeGreaterThan(24_000);
    harness.listens(true).listens(true);
    expect(harness.emittedOf('listen').map(({ flushedSamples }) => flushedSamples)).toEqual([
      unheard,
      0,
    ]);
  });

  it('counts later sound of the same turn only', () => {
    const harness = speaking();
    harness.talk.interrupt();
    const unheard = 3 * 24_000 - harness.speaker.heard();
    harness.says(' seven', 1).listens(true);
    expect(harness.emittedOf('listen').at(-1)?.flushedSamples).toBe(unheard + 24_000);
    harness.says('next', 1, 2).pass(200).talk.interrupt();
    harness.says('other', 1, 3).listens(true);
    expect(harness.emittedOf('listen').at(-1)?.flushedSamples).toBe(24_000);
  });

  it('marks the unheard words', () => {
    const harness = speaking();
    harness.talk.interrupt();
    harness.pass(100);
    expect(harness.shown(1)).toMatch(/^one two[a-z ]*\|~ [a-z ]*six$/);
    const [heard] = harness.emittedOf('turnHeard');
    expect(`${heard?.heard}${heard?.cut}`).toBe('one two three four five six');
    expect(heard?.heard).toMatch(/^one two/);
    expect(heard?.cut).toMatch(/six$/);
  });

  it('cuts an answer that was generated but not heard', () => {
    const harness = speaking().ends();
    harness.talk.interrupt();
    expect(harness.pass(100).shown(1)).toMatch(/~.*six$/);
  });

  it('only notifies the model if there is no answer', () => {
    const harness = new ConversationHarness().live();
    harness.talk.interrupt();
    expect(harness.session.calls).toEqual(['interrupt']);
    expect(harness.listens(true).emittedOf('listen')[0]?.flushedSamples).toBe(0);
  });

  it('is measured until it is quiet', () => {
    const harness = speaking();
    harness.talk.interrupt();
    harness.pass(100);
    const delay = harness.emittedOf('measure').find(({ kind }) => kind === 'interruptToSilence');
    expect(delay?.ms).toBeLessThanOrEqual(10);
  });
});

describe('an answer', () => {
  it('plays out to its last sample and word if it has ended', () => {
    const harness = speaking().ends().listens(false).pass(3000);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.emittedOf('listen')[0]?.flushedSamples).toBe(0);
    expect(harness.shown(1)).toBe('one two three four five six|');
    expect(harness.emittedOf('turnHeard')).toEqual([
      { event: 'turnHeard', turn: 1, heard: 'one two three four five six', cut: '' },
    ]);
  });

  it('stops at once if the model yields, and its heard words are reported', () => {
    const harness = speaking().listens(true);
    expect(harness.speaker.queued()).toBe(0);
    const { flushedSamples } = harness.emittedOf('listen')[0] ?? {};
    const heard = harness.speaker.heard();
    expect(heard).toBeGreaterThan(20_000);
    expect(flushedSamples).toBe(3 * 24_000 - heard);
    expect(harness.pass(100).emittedOf('turnHeard')[0]?.cut).toMatch(/six$/);
  });
});
