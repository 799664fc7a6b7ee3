import { afterEach, expect, it, vi } from 'vitest';
import { printToStderr } from '../../../../../electron/hosts/guard-process.ts';
import { processTerminal } from '../../../../../electron/hosts/terminal/process-terminal.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  [
    'a command',
    (text: string) => {
      processTerminal().err(text);
    },
  ],
  [
    'a host',
    (text: string) => {
      printToStderr(text);
    },
  ],
])('writes no control sequences to stderr: %s', (_who, say) => {
  const written: unknown[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(text);
    return true;
  });
  say('no tape \u001b]0;title\u0007\u009b2J\u202egpj.exe\n');
  expect(written.join('').trimEnd()).toBe('no tape ]0;title2Jgpj.exe');
});
