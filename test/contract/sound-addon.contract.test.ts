import { describe, expect, it } from 'vitest';
import { soundServerForEach } from './sound/sound-server.ts';

const { run } = await soundServerForEach();

describe('the sound addon', { timeout: 60_000 }, () => {
  const misuse = async (name: string): Promise<unknown> => {
    const { code, output, stderr } = await run('misuse-addon.ts', name);
    // PortAudio prints its source location for every refusal.
    const others = stderr.split('\n').filter((line) => !line.startsWith('Expression '));
    expect({ code, stderr: others.join('\n') }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(output);
  };

  it('rejects foreign values instead of streams, even Node’s own external values', async () => {
    expect(await misuse('passForeignValues')).toEqual(['object', 'a stream is expected']);
  });

  it('opens or refuses streams with extreme parameters @nightly', async () => {
    // Two directions, seven fields of a plan, nine values.
    expect(await misuse('openExtremePlans')).toBe(2 * 7 * 9);
  });

  it('closes streams that are garbage-collected @nightly', async () => {
    expect(await misuse('collectStreams')).toBe(0);
  });

  it('answers queries while a stream closes and while PortAudio ends', async () => {
    // In at least one of 12 rounds, several queries ran before the stream had closed.
    expect(await misuse('queryWhileClosing')).toBeGreaterThan(12);
  });

  it('survives worker threads that end with open or opening streams @nightly', async () => {
    expect(await misuse('endEnvironments')).toBe(0);
  });

  it('leaves no handle open that wakes JavaScript after a microphone was opened 200 times @nightly', async () => {
    expect(await misuse('openOften')).toEqual({ problems: [], wakers: [1, 0] });
  });

  it.each([
    ['with the host’s crash handler', 'throwInGuardedCallback', 1],
    ['without a crash handler', 'throwInCallback', 0],
  ])('ends the process with a stack trace if a callback throws, %s', async (_, name, sentences) => {
    const { code, stderr } = await run('misuse-addon.ts', name);
    expect(code).toBe(1);
    expect(stderr).toContain('Error: the listener failed');
    expect(stderr).toMatch(/at (?:\w+\.)?drain/);
    const sentence = 'Parley hit a bug and has to close (the listener failed). Start it again.\n';
    expect(stderr.split(sentence)).toHaveLength(sentences + 1);
  });
});
