import { describe, expect, it } from 'vitest';
import { Stage } from './stage.ts';

const speaking = (): Stage => new Stage().live().says('one two three four five six', 3).pass(1000);

describe('an interruption', () => {
  it('silences in the same tick, before the model knows', () => {
    const stage = speaking();
    const queued: number[] = [stage.speaker.queued()];
    stage.session.onInterrupt = () => void queued.push(stage.speaker.queued());
    stage.talk.interrupt();
    expect(queued[0]).toBeGreaterThan(0);
    expect(queued[1]).toBe(0);
  });

  it('reports the unheard samples once, when the model yields', () => {
    const stage = speaking();
    stage.talk.interrupt();
    const unheard = 3 * 24_000 - stage.speaker.heard();
    expect(unheard).toBeGreaterThan(24_000);
    stage.listens(true).listens(true);
    expect(stage.emittedOf('listen').map(({ flushedSamples }) => flushedSamples)).toEqual([
      unheard,
      0,
    ]);
  });

  it('counts later sound of the same turn only', () => {
    const stage = speaking();
    stage.talk.interrupt();
    const unheard = 3 * 24_000 - stage.speaker.heard();
    stage.says(' seven', 1).listens(true);
    expect(stage.emittedOf('listen').at(-1)?.flushedSamples).toBe(unheard + 24_000);
    stage.says('next', 1, 2).pass(200).talk.interrupt();
    stage.says('other', 1, 3).listens(true);
    expect(stage.emittedOf('listen').at(-1)?.flushedSamples).toBe(24_000);
  });

  it('marks the unheard words', () => {
    const stage = speaking();
    stage.talk.interrupt();
    stage.pass(100);
    expect(stage.shown(1)).toMatch(/^one two[a-z ]*\|~ [a-z ]*six$/);
    const [heard] = stage.emittedOf('turnHeard');
    expect(`${heard?.heard}${heard?.cut}`).toBe('one two three four five six');
    expect(heard?.heard).toMatch(/^one two/);
    expect(heard?.cut).toMatch(/six$/);
  });

  it('cuts an answer that was generated but not heard', () => {
    const stage = speaking().ends();
    stage.talk.interrupt();
    expect(stage.pass(100).shown(1)).toMatch(/~.*six$/);
  });

  it('only notifies the model if there is no answer', () => {
    const stage = new Stage().live();
    stage.talk.interrupt();
    expect(stage.session.calls).toEqual(['interrupt']);
    expect(stage.listens(true).emittedOf('listen')[0]?.flushedSamples).toBe(0);
  });

  it('is measured until it is quiet', () => {
    const stage = speaking();
    stage.talk.interrupt();
    stage.pass(100);
    const delay = stage.emittedOf('measure').find(({ kind }) => kind === 'interruptToSilence');
    expect(delay?.ms).toBeLessThanOrEqual(10);
  });
});

describe('an answer', () => {
  it('plays out to its last sample and word if it has ended', () => {
    const stage = speaking().ends().listens(false).pass(3000);
    expect(stage.speaker.queued()).toBe(0);
    expect(stage.emittedOf('listen')[0]?.flushedSamples).toBe(0);
    expect(stage.shown(1)).toBe('one two three four five six|');
    expect(stage.emittedOf('turnHeard')).toEqual([
      { event: 'turnHeard', turn: 1, heard: 'one two three four five six', cut: '' },
    ]);
  });

  it('stops at once if the model yields, and its heard words are reported', () => {
    const stage = speaking().listens(true);
    expect(stage.speaker.queued()).toBe(0);
    const { flushedSamples } = stage.emittedOf('listen')[0] ?? {};
    const heard = stage.speaker.heard();
    expect(heard).toBeGreaterThan(20_000);
    expect(flushedSamples).toBe(3 * 24_000 - heard);
    expect(stage.pass(100).emittedOf('turnHeard')[0]?.cut).toMatch(/six$/);
  });
});
