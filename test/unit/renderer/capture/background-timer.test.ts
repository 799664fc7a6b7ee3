import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBackgroundTimer } from '../../../../renderer/capture/capture-controller.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A fake worker whose timers the test fires. */
function timerHarness() {
  const messages: { id: number; milliseconds: number }[] = [];
  const page = { isHidden: false, workers: 0 };
  let onMessage: (event: { data: number }) => void = () => undefined;
  const after = createBackgroundTimer(
    () => page.isHidden,
    () => {
      page.workers += 1;
      return {
        addEventListener: (_name: string, listener: typeof onMessage) => (onMessage = listener),
        postMessage: (wait: { id: number; milliseconds: number }) => messages.push(wait),
      } as unknown as Worker;
    },
  );
  return {
    after,
    messages,
    page,
    fire: (id: number) => {
      onMessage({ data: id });
    },
  };
}

describe('the background timer', () => {
  it('uses the page’s own timers while the page is visible', () => {
    const { after, page } = timerHarness();
    const run = vi.fn();
    after(100, run);
    after(100, run)();
    vi.advanceTimersByTime(100);
    expect(run).toHaveBeenCalledOnce();
    expect(page.workers).toBe(0);
  });

  it('uses one worker while the page is hidden and runs each callback once', () => {
    const { after, messages, page, fire } = timerHarness();
    page.isHidden = true;
    const ran: string[] = [];
    after(250, () => ran.push('first'));
    const cancel = after(50, () => ran.push('second'));
    after(250, () => ran.push('third'));
    expect(messages.map(({ milliseconds }) => milliseconds)).toEqual([250, 50, 250]);
    cancel();
    for (const { id } of [...messages, ...messages]) fire(id);
    expect(ran).toEqual(['first', 'third']);
    vi.advanceTimersByTime(10_000);
    expect([ran.length, page.workers]).toEqual([2, 1]);
  });
});
