import { describe, expect, it } from 'vitest';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { Stage } from './stage.ts';

describe('the floor', () => {
  it('belongs to whoever is heard, and changes are emitted', () => {
    const stage = new Stage({ bargeIn: quiet }).live().pass(200, 0.1);
    expect(stage.floors).toEqual(['you']);
    stage.pass(600).says('one', 2).pass(400);
    expect(stage.floors).toEqual(['you', 'nobody', 'parley']);
    stage.pass(400, 0.1);
    expect(stage.floors.at(-1)).toBe('both');
    stage.pass(3000);
    expect(stage.floors.slice(-2)).toEqual(['parley', 'nobody']);
  });

  it('does not belong to the user while the gate is closed', () => {
    const stage = new Stage({ talking: 'hold' }).live().pass(500, 0.5);
    expect(stage.floors).toEqual([]);
    stage.talk.controls.press();
    stage.pass(500, 0.5);
    stage.talk.controls.setMuted(true);
    expect(stage.floors).toEqual(['you', 'nobody']);
  });

  it("follows the microphone's voice detector: a quiet voice counts, a loud fan does not", () => {
    let voice = 0.9;
    const microphone = { ...plainMicrophone, voiceLikelihood: () => voice };
    const stage = new Stage({ bargeIn: quiet }, { microphone }).live().pass(200, 0.004);
    expect(stage.floors).toEqual(['you']);
    voice = 0.1;
    stage.pass(1000, 0.3);
    expect(stage.floors).toEqual(['you', 'nobody']);
  });

  it('belongs to nobody when the answer is silenced', () => {
    const stage = new Stage().live().says('one', 3).pass(500);
    stage.talk.interrupt();
    stage.pass(40);
    expect(stage.floors).toEqual(['parley', 'nobody']);
  });
});

describe('a sound of the user over the answer', () => {
  it('ducks the answer if it is short, and the answer continues', () => {
    const stage = new Stage().live().pass(1000).says('one two three', 5).pass(1000);
    stage.pass(300, 0.3).pass(100);
    expect(stage.speaker.gains.at(-1)).toBeLessThan(0.5);
    expect(stage.speaker.queued()).toBeGreaterThan(0);
    stage.pass(600);
    expect(stage.speaker.gains.at(-1)).toBe(1);
    expect(stage.session.calls).toEqual([]);
    expect(stage.ends().pass(4000).shown(1)).toBe('one two three|');
  });

  it('has no effect if it is known not to be a voice', () => {
    const microphone = { ...plainMicrophone, voiceLikelihood: () => 0.05 };
    const stage = new Stage({}, { microphone })
      .live()
      .pass(1000)
      .says('one two three', 5)
      .pass(1000);
    stage.pass(1500, 0.3);
    expect(stage.speaker.gains.every((gain) => gain === 1)).toBe(true);
  });

  it('is left to the model while that speaks', () => {
    const stage = new Stage().live().pass(1000).says('one two three', 5).pass(1000);
    stage.pass(1500, 0.3);
    expect(stage.speaker.gains.at(-1)).toBeLessThan(0.5);
    expect(stage.speaker.queued()).toBeGreaterThan(0);
    stage.listens(true);
    expect(stage.speaker.queued()).toBe(0);
    expect(stage.pass(300).speaker.gains.at(-1)).toBe(1);
  });

  it('stops an answer that only still sounds', () => {
    const stage = new Stage().live().pass(1000).says('one two three', 8).ends().pass(1000);
    stage.pass(1500, 0.3);
    expect(stage.speaker.queued()).toBe(0);
    expect(stage.pass(100).shown(1)).toContain('~');
    expect(stage.session.calls).toEqual([]);
  });

  it('has no effect while muted or if barge-in is off', () => {
    const muted = new Stage({ muted: true }).live().pass(1000).says('one', 5).pass(1000);
    expect(muted.pass(1500, 0.3).speaker.gains).toEqual([]);
    const off = new Stage({ bargeIn: quiet }).live().pass(1000).says('one', 5).pass(1000);
    expect(off.pass(1500, 0.3).speaker.gains).toEqual([]);
  });
});

const quiet = { enabled: false, shortMs: 600, aboveNoiseDb: 12 };

describe('delays', () => {
  const delaysOf = (stage: Stage, kind: string): readonly number[] =>
    stage.emittedOf('measure').flatMap((delay) => (delay.kind === kind ? [delay.ms] : []));

  it('are measured from wire to sound for the first sample of each delta', () => {
    const stage = new Stage().live().says('', 2).pass(500).says('', 2).pass(4000);
    const [first = 0, second = 0] = delaysOf(stage, 'wireToSound');
    expect(first).toBeLessThan(1000);
    // The second one waits for the end of the first.
    expect(second).toBeGreaterThan(1000);
    expect(delaysOf(stage, 'wireToSound')).toHaveLength(2);
    expect(stage.talk.latency().steps.wireToSound.count).toBe(2);
  });

  it('count as gaps within an answer, with their length', () => {
    const stage = new Stage().live().says('', 2).pass(6000);
    expect(stage.talk.latency().gaps.count).toBe(0);
    stage.says('', 2).pass(3000);
    const { count, totalMs, longestMs } = stage.talk.latency().gaps;
    expect(count).toBe(1);
    expect(longestMs).toBeGreaterThan(3000);
    expect(longestMs).toBeLessThan(4500);
    expect(totalMs).toBe(longestMs);
  });

  it('are logged once a minute, and only while metrics arrive', () => {
    const log = new FakeLog();
    const { lines } = log;
    const stage = new Stage({}, { log }).live();
    for (let second = 0; second < 150; second += 1) {
      const metrics = { values: { wall_clock_ms: 200 } };
      stage.session.emit({ event: 'metrics', metrics, roundTripMs: 240 });
      stage.pass(1000);
    }
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('240');
    expect(stage.pass(120_000) && lines).toHaveLength(2);
  });

  it("the delay from microphone to wire includes the microphone's latency and the cap's wait", () => {
    const stage = new Stage({}, { microphone: { ...plainMicrophone, latencyMs: () => 12 } }).live();
    const sent = { event: 'sent', inputId: 'a', samples: 16_000, frames: 0 } as const;
    stage.session.emit({ ...sent, forceListen: false });
    stage.session.emit({ ...sent, forceListen: false, waitedMs: 300 });
    expect(delaysOf(stage, 'micToWire')).toEqual([12, 312]);
  });
});
