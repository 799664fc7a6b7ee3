import { describe, expect, it } from 'vitest';
import { parley } from '../../../../fakes/run-terminal.ts';
import manifest from '../../../../../package.json' with { type: 'json' };

describe('parley', () => {
  it('prints its version', async () => {
    expect(await parley('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
  });

  it.each([[], ['--help'], ['-h'], ['help']])('prints help for %j', async (...args) => {
    const { code, out, err } = await parley(...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Usage: parley <command> [options]');
    expect(out).toMatch(/^ {2}doctor +check what Parley needs on this machine$/m);
  });

  it('prints the help of one command', async () => {
    const { code, out } = await parley('doctor', '--help');
    expect(code).toBe(0);
    expect(out).toContain(
      'Usage: parley doctor [--no-sound] [--hear-yourself] [--room[=alone]] [--room-into DIR] [--json]',
    );
  });

  it('refuses an unknown command', async () => {
    expect(await parley('sing')).toEqual({
      code: 2,
      out: '',
      err: 'Unknown command "sing". "parley --help" lists all commands.\n',
    });
  });

  it('suggests the nearest command', async () => {
    expect((await parley('tlak')).err).toBe(
      'Unknown command "tlak". Did you mean "talk"? "parley --help" lists all commands.\n',
    );
  });

  it.each(['--loud', 'extra'])(
    'refuses %s for a command that does not take it',
    async (argument) => {
      const { code, out, err } = await parley('doctor', argument);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(argument);
      expect(err).toContain('"parley doctor --help" shows its options.');
      expect(err).not.toContain('    at ');
    },
  );
});

describe('parley doctor', () => {
  it('reports which parts load', async () => {
    const { code, out, err } = await parley('doctor', '--no-sound');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^PortAudio +loads \(naudiodon \d+\.\d+\.\d+\)$/m);
    expect(out).toMatch(/^libvips +loads \(libvips \d+\.\d+\.\d+\)$/m);
    expect(out).toMatch(/^Node +\d+\.\d+\.\d+$/m);
  });

  it('writes only one object per line with --json', async () => {
    const { out, err } = await parley('doctor', '--no-sound', '--json');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    expect(lines.map(({ event }) => event)).toEqual(['about', 'part', 'part']);
    expect(err).toBe('');
  });
});
