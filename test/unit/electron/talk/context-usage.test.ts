import { describe, expect, it } from 'vitest';
import { ContextUsage } from '../../../../electron/talk/context-usage.ts';

describe('the context that a session uses', () => {
  const seconds = (count: number) => count * 16_000;

  function opened(promptLength?: number) {
    const usage = new ContextUsage(() => 64);
    usage.onEvent({ event: 'session', id: 's', dialect: 'unified', promptLength });
    const sent = (frames: number, samples = seconds(1)): void => {
      usage.onEvent({ event: 'sent', inputId: 'i', samples, frames, forceListen: false });
    };
    const step = (
      contextTokens: number | undefined,
      values: Readonly<Record<string, number>> = {},
      roundTripMs: number | undefined = 200,
    ): void => {
      usage.onEvent({ event: 'metrics', metrics: { contextTokens, values }, roundTripMs });
    };
    return { usage, sent, step };
  }

  it("splits growth by the server's counts, and the remainder is sound", () => {
    const { usage, sent, step } = opened(30);
    sent(1);
    step(111, { vision_tokens: 66, n_tokens: 3 });
    sent(0);
    step(123, { n_tokens: 0 });
    expect(usage.view).toEqual({ spent: { pictures: 66, sound: 24, words: 33 }, estimated: [] });
  });

  it('counts a step once, even if several events report it', () => {
    const { usage, sent, step } = opened(0);
    sent(1);
    step(80, { vision_tokens: 64, n_tokens: 4 });
    step(80, { vision_tokens: 64, n_tokens: 4 }, undefined);
    expect(usage.view.spent).toEqual({ pictures: 64, sound: 12, words: 4 });
  });

  it('estimates pictures and words that the server does not report, and marks them', () => {
    const { usage, sent, step } = opened(30);
    sent(1);
    usage.onEvent({ event: 'text', turn: 1, text: 'six or so' });
    step(111);
    sent(0);
    step(123);
    const { spent, estimated } = usage.view;
    expect(spent).toEqual({ pictures: 64, sound: 26, words: 33 });
    expect(estimated).toEqual(['pictures', 'words', 'sound']);
  });

  it('never estimates more than the context grew', () => {
    const { usage, sent, step } = opened(0);
    sent(3);
    step(100);
    expect(usage.view.spent).toEqual({ pictures: 100, sound: 0, words: 0 });
  });

  it('estimates everything if the server does not count its context', () => {
    const { usage, sent, step } = opened();
    sent(1);
    step(undefined);
    step(undefined, {}, undefined);
    sent(0);
    step(0);
    const { spent, estimated } = usage.view;
    expect(Math.round(spent.sound)).toBe(34);
    expect([spent.pictures, estimated]).toEqual([64, ['pictures', 'sound']]);
  });

  it("attributes the excess of a server's first count to the instructions", () => {
    const { usage, sent, step } = opened();
    sent(1);
    step(200, { vision_tokens: 64, n_tokens: 0 });
    sent(0);
    step(212, { n_tokens: 0 });
    const { spent, estimated } = usage.view;
    expect(spent.pictures + spent.sound + spent.words).toBe(212);
    expect([spent.pictures, Math.round(spent.sound), Math.round(spent.words)]).toEqual([
      64, 29, 119,
    ]);
    expect(estimated).toEqual(['words', 'sound']);
  });

  it('continues after the server prunes, and restarts with the next session', () => {
    const { usage, sent, step } = opened(0);
    sent(0);
    step(8000, { n_tokens: 0 });
    sent(0);
    step(4000, { n_tokens: 2 });
    sent(0);
    step(4012, { n_tokens: 0 });
    const { spent } = usage.view;
    expect([Math.round(spent.sound), spent.words]).toEqual([8029, 2]);
    usage.onEvent({ event: 'session', id: 't', dialect: 'unified', promptLength: 44 });
    expect(usage.view).toEqual({ spent: { pictures: 0, sound: 0, words: 44 }, estimated: [] });
  });

  it('measures the rate of sound and words after a while, without pictures and instructions', () => {
    const { usage, sent, step } = opened(100);
    for (let second = 1; second < 20; second += 1) {
      sent(1);
      step(100 + second * 79, { vision_tokens: 64, n_tokens: 3 });
    }
    expect(usage.restPerSecond).toBeUndefined();
    sent(1);
    step(100 + 20 * 79, { vision_tokens: 64, n_tokens: 3 });
    expect(usage.restPerSecond).toBe(15);
  });

  it("uses a newer server's counts per step, and ignores tokens of the voice", () => {
    const { usage, sent } = opened(80);
    const step = (contextTokens: number, inputVision: number, roundTripMs?: number): void => {
      const stepUsage = {
        inputText: 1,
        inputAudio: 10,
        inputVision,
        outputText: 4,
        outputAudio: 25,
      };
      usage.onEvent({
        event: 'metrics',
        metrics: { contextTokens, values: { vision_tokens: 7, n_tokens: 9 }, stepUsage },
        roundTripMs,
      });
    };
    sent(1);
    step(159, 64, 200);
    // Some servers repeat the usage with each event of a step.
    step(159, 64);
    sent(0);
    step(174, 0, 200);
    expect(usage.view).toEqual({ spent: { pictures: 64, sound: 20, words: 90 }, estimated: [] });
    // The server prunes, but still reports the step's usage.
    sent(0);
    step(100, 0, 200);
    expect(usage.view).toEqual({ spent: { pictures: 64, sound: 30, words: 95 }, estimated: [] });
  });
});
