import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Lifetime } from '../../../shared/lifetime.ts';
import { watchConsole } from '../../set-up/console-guard.ts';
import { watchLeaks } from '../../set-up/lifetime-guard.ts';
import { openResources, untilReleased } from '../../set-up/resource-guard.ts';

describe('the guards of the tests', () => {
  it('catch stray console output, and give the console back', () => {
    const outer = console.log;
    const guard = watchConsole();
    console.log('stray', 1);
    console.error('worse');
    expect(guard.end()).toEqual(['console.log: stray 1', 'console.error: worse']);
    expect(console.log).toBe(outer);
  });

  it('catch a lifetime that nobody ended, but not an ended one', async () => {
    const guard = watchLeaks();
    const ended = new Lifetime('ended');
    const leaked = new Lifetime('leaked');
    await ended.end();
    expect(guard.end()).toEqual(['leaked']);
    await leaked.end();
  });

  it('catch a server left open', async () => {
    const before = openResources();
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    expect(await untilReleased(before, 1)).toEqual(['TCPServerWrap']);
    server.close();
    expect(await untilReleased(before)).toEqual([]);
  });
});
