import { describe, expect, it } from 'vitest';
import { fadeCurve } from '../../../../../electron/audio/dsp/samples.ts';
import { Framer } from '../../../../../shared/audio/framer.ts';
import { counted, gateScene, rate } from '../echo/transmit-gate-scene.ts';

const preRoll = 8000;
const tail = 720;
const fade = 80;
const maxAhead = 48_000;
const zeros = (length: number) => Array.from({ length }, () => 0);

describe('the transmit gate', () => {
  it('passes everything when open, after a fade of 5 ms', () => {
    const { pushAudio, out } = gateScene('open');
    for (const length of [30, 0, 100, 320]) pushAudio(length);
    expect(out.length).toBe(450);
    expect(out.slice(fade)).toEqual(counted(fade + 1, 450 - fade));
    fadeCurve(fade).forEach((gain, n) => {
      expect(out[n]).toBeCloseTo(gain * (n + 1), 4);
    });
  });

  it.each(['hold', 'closed'] as const)('emits silence of the same length in mode %s', (mode) => {
    const { pushAudio, out, gate } = gateScene(mode);
    for (const length of [320, 1, 0, 9999]) pushAudio(length);
    expect(out).toEqual(zeros(10_320));
    expect(gate.transmitting).toBe(false);
  });

  it('emits the 500 ms before a press first, then the live sound', () => {
    const scene = gateScene('hold');
    const { pushAudio, out, gate } = scene;
    pushAudio(10_000);
    gate.setPressed(true);
    expect(gate.transmitting).toBe(true);
    pushAudio(320);
    expect(scene.ahead).toBe(preRoll);
    expect(out.slice(0, 10_000)).toEqual(zeros(10_000));
    expect(out.slice(10_000 + fade)).toEqual(
      counted(10_001 - preRoll + fade, preRoll - fade + 320),
    );
    pushAudio(320);
    expect(out.slice(-640)).toEqual(counted(10_001, 640));
    expect(out.length).toBe(10_640 + preRoll);
  });

  it('passes 45 ms after a release, fades out in 5 ms, and then emits silence', () => {
    const { pushAudio, out, gate } = gateScene('hold');
    gate.setPressed(true);
    pushAudio(1000);
    gate.setPressed(false);
    pushAudio(1000);
    expect(out.slice(fade, 1000 + tail)).toEqual(counted(fade + 1, 1000 - fade + tail));
    fadeCurve(fade).forEach((gain, n) => {
      const at = 1000 + tail + fade - 1 - n;
      expect(out[at]).toBeCloseTo(gain * (at + 1), 3);
    });
    expect(out.slice(1000 + tail + fade)).toEqual(zeros(200));
  });

  it('continues without a seam when pressed again during the tail', () => {
    const { pushAudio, out, gate } = gateScene('hold');
    gate.setPressed(true);
    pushAudio(1000);
    gate.setPressed(false);
    pushAudio(300);
    gate.setPressed(true);
    pushAudio(2000);
    expect(out.slice(fade)).toEqual(counted(fade + 1, 3300 - fade));
  });

  it('has no tail after mute or close', () => {
    for (const close of ['mute', 'mode'] as const) {
      const { pushAudio, out, gate } = gateScene('hold');
      gate.setPressed(true);
      pushAudio(1000);
      if (close === 'mute') gate.setMuted(true);
      else gate.setMode('closed');
      pushAudio(1000);
      expect(out.slice(1000 + fade)).toEqual(zeros(1000 - fade));
    }
  });

  it.each(['mute', 'mode'] as const)('discards speech during %s', (kind) => {
    const scene = gateScene('hold');
    const { pushAudio, out, gate } = scene;
    pushAudio(5000);
    if (kind === 'mute') gate.setMuted(true);
    else gate.setMode('closed');
    pushAudio(5000);
    if (kind === 'mute') gate.setMuted(false);
    else gate.setMode('hold');
    pushAudio(100);
    gate.setPressed(true);
    pushAudio(100);
    expect(scene.ahead).toBe(100);
    expect(out.slice(0, 10_100)).toEqual(zeros(10_100));
    expect(out.slice(10_100 + fade)).toEqual(counted(10_001 + fade, 200 - fade));
  });

  it('mutes in every mode', () => {
    for (const mode of ['open', 'hold', 'closed'] as const) {
      const { pushAudio, out, gate } = gateScene(mode);
      gate.setMuted(true);
      gate.setPressed(true);
      pushAudio(500);
      expect(gate.transmitting).toBe(false);
      expect(out).toEqual(zeros(500));
    }
  });
});

describe('the timeline of the transmit gate', () => {
  function pressedOnce() {
    const scene = gateScene('hold');
    scene.pushAudio(preRoll);
    scene.gate.setPressed(true);
    scene.pushAudio(16_000);
    scene.gate.setPressed(false);
    scene.pushAudio(tail + fade);
    return scene;
  }

  it('skips silence to balance the pre-roll, two seconds after speech', () => {
    const scene = pressedOnce();
    const { pushAudio, out } = scene;
    pushAudio(32_000);
    expect(scene.ahead).toBe(preRoll);
    const before = out.length;
    pushAudio(3000);
    expect(out.length).toBe(before);
    pushAudio(5001);
    expect(out.length).toBe(before + 1);
    expect(scene.ahead).toBe(0);
  });

  it('skips no silence while an answer plays', () => {
    const scene = pressedOnce();
    const { pushAudio, gate } = scene;
    gate.setAnswering(true);
    pushAudio(100_000);
    expect(scene.ahead).toBe(preRoll);
    gate.setAnswering(false);
    pushAudio(10_000);
    expect(scene.ahead).toBe(0);
  });

  it('is rarely ahead by more than three seconds', () => {
    const scene = pressedOnce();
    const { pushAudio, gate } = scene;
    gate.setAnswering(true);
    for (let press = 0; press < 9; press += 1) {
      pushAudio(preRoll);
      expect(scene.ahead).toBe(Math.min((press + 1) * preRoll, maxAhead));
      gate.setPressed(true);
      pushAudio(320);
      gate.setPressed(false);
      pushAudio(tail + fade);
    }
  });

  it('reports the end of speech once, and balances what is sent ahead then', () => {
    const scene = gateScene('hold');
    const { pushAudio, gate } = scene;
    const ends = () => [gate.takeSpeechEnd(), gate.takeSpeechEnd()];
    pushAudio(1000);
    gate.setPressed(true);
    pushAudio(1000);
    gate.setPressed(false);
    pushAudio(tail);
    expect(ends()).toEqual([false, false]);
    pushAudio(fade);
    expect(ends()).toEqual([true, false]);
    gate.countSentAhead(5000);
    pushAudio(32_000 + 10_000);
    expect(scene.ahead).toBe(-5000);
    for (const close of [() => gate.setMuted(true), () => gate.setMode('closed')]) {
      gate.setPressed(true);
      pushAudio(1000);
      close();
      pushAudio(1000);
      expect(ends()).toEqual([false, false]);
      gate.setMuted(false);
      gate.setPressed(false);
    }
  });

  it('keeps passing sound after a release for the latency of the microphone', () => {
    for (const tailMs of [0, 10, 250]) {
      const { pushAudio, out, gate } = gateScene('hold');
      gate.setPressed(true);
      pushAudio(1000);
      gate.setPressed(false, tailMs);
      pushAudio(9000);
      expect(out.findLastIndex((sample) => sample !== 0) + 1).toBe(1000 + tailMs * 16 + fade);
    }
  });

  it('completes the chunk with the last word within a second', () => {
    const waits: number[] = [];
    for (let held = 4000; held < 36_000; held += 640) {
      const { gate } = gateScene('hold');
      const framer = new Framer(rate);
      const last = preRoll + held;
      const handed: number[] = [];
      for (let heard = 0; handed.length === 0 && heard < 200_000; heard += 320) {
        gate.setPressed(heard >= preRoll && heard < last - tail);
        const block = Float32Array.from({ length: 320 }, (_, n) =>
          heard + n === last - 1 - fade ? 1 : 0.5,
        );
        for (const part of gate.push(block)) {
          if (framer.push(part).some((chunk) => chunk.includes(1))) handed.push(heard + 320);
        }
      }
      waits.push(((handed[0] ?? Infinity) - last) / 16);
    }
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
    expect(Math.max(...waits)).toBeLessThanOrEqual(1020);
    expect(mean).toBeGreaterThan(400);
    expect(mean).toBeLessThan(600);
  });
});
