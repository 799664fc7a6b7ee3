import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { playRandomSession } from './random-session.ts';

describe('random input', () => {
  it('never makes the session throw, break a rule, or leave anything open, and ends it once', () => {
    const stories = randomRuns(4000);
    const phases = new Set<string>();
    let asks = 0;
    for (let seed = 0; seed < stories; seed += 1) {
      const { scene, clock } = playRandomSession(seed);
      const story = `story ${seed}`;
      expect(scene.broken, story).toEqual([]);
      expect(scene.emittedOf('closed'), story).toHaveLength(1);
      expect(scene.emitted.at(-1)?.event, story).toBe('closed');
      expect(scene.session.phase, story).toBe('closed');
      expect(clock.pending, story).toBe(0);
      expect(
        scene.sockets.lines.every(({ state }) => state === 'ended'),
        story,
      ).toBe(true);
      expect(scene.remembered.length, story).toBeLessThanOrEqual(1);
      for (const { state } of scene.emittedOf('state')) phases.add(state);
      asks += scene.asked.length;
    }
    expect([...phases].toSorted()).toEqual([
      'closed',
      'closing',
      'configuring',
      'connecting',
      'live',
      'queued',
    ]);
    // The test would prove nothing if hardly anything were sent.
    expect(asks).toBeGreaterThan(stories * 2.5);
  });

  it('plays the same run for the same seed', () => {
    expect(playRandomSession(11).scene.emitted).toEqual(playRandomSession(11).scene.emitted);
  });
});
