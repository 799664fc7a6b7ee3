import { describe, expect, it } from 'vitest';
import { FakeScreen, fakeTerminal, parley } from '../../../../fakes/fake-terminal.ts';
import manifest from '../../../../../package.json' with { type: 'json' };
import { loadSpecs } from '../../../../../electron/hosts/terminal/command-table.ts';
import { runTerminal } from '../../../../../electron/hosts/terminal/run-terminal.ts';

const { own, remote } = await loadSpecs();

// Runs `parley` in this process, on a fake terminal: help, options, exit codes, and what `parley` says about mistakes.
describe('parley', () => {
  it('prints its version', async () => {
    expect(await parley('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
  });

  it.each([[], ['--help'], ['-h'], ['help']])('prints help for %j', async (...args) => {
    const { code, out, err } = await parley(...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Usage: parley <command> [options]');
    for (const { name } of own) expect(out).toMatch(new RegExp(`^ {2}${name} +\\w`, 'm'));
    expect(out).toMatch(/^Commands for a running Parley:\n {2}ptt +press or release/m);
  });

  it.each([...own, ...remote].map(({ name }) => name))(
    'explains every option of %s in its help',
    async (name) => {
      const { code, out } = await parley(name, '--help');
      expect(code).toBe(0);
      const [, usage = '', ...details] = out.split('\n');
      expect(usage).toContain(`Usage: parley ${name}`);
      const options = [...usage.matchAll(/--[\w-]+/g)].map(([option]) => option);
      const explained = details.join('\n');
      expect(options.filter((option) => !explained.includes(option))).toEqual([]);
    },
  );

  it.each([['--help'], ['talk', '--help'], ['replay', '--help']])(
    'wraps its help between words in a narrow terminal: %s %s',
    async (...args) => {
      const { terminal, written } = fakeTerminal();
      await runTerminal(args, { ...terminal, screen: new FakeScreen(40) });
      const long = written.out.split('\n').filter((line) => line.length > 40);
      expect(long.filter((line) => line.trim().includes(' '))).toEqual([]);
      const words = (text: string) => text.split(/\s+/u);
      expect(words(written.out).toSorted()).toEqual(words((await parley(...args)).out).toSorted());
    },
  );

  it('does not wrap its help in a terminal that does not know its width', async () => {
    const { terminal, written } = fakeTerminal();
    await runTerminal(['--help'], { ...terminal, screen: new FakeScreen(0) });
    expect(written.out).toBe((await parley('--help')).out);
  });

  it('refuses an unknown command, and suggests the nearest', async () => {
    const all = '"parley --help" lists all commands.\n';
    const [sing, tlak] = [await parley('sing'), await parley('tlak')];
    expect(sing).toEqual({ code: 2, out: '', err: `Unknown command "sing". ${all}` });
    expect(tlak.err).toBe(`Unknown command "tlak". Did you mean "talk"? ${all}`);
  });
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

const talk = ['talk', '--mode', 'audio', '--input', '/no/such.wav'];

/** Arguments, and the sentence of their error. */
const wrongUsage: readonly (readonly [readonly string[], string])[] = [
  [['chat'], 'Enter a question: parley chat "TEXT", or - to read it from stdin.'],
  [['chat', ''], 'The question is empty.'],
  [['chat', '-'], 'The text cannot be read from stdin, because stdin is not available.'],
  [['chat', 'a', 'b'], 'Unexpected argument "b".'],
  [['chat', 'a', '-x'], 'Unknown option -x.'],
  [[...talk, '--tpae', 'd'], 'Unknown option --tpae; did you mean --tape?'],
  [['completion'], 'Name a shell: parley completion bash, zsh or fish.'],
  [['chat', 'a', '--json=yes'], '--json takes no value.'],
  [['chat', 'a', '--url'], '--url needs a value.'],
  [
    ['chat', 'a', '--url', 'localhost'],
    'The address “localhost” has no scheme: begin it with ws://, wss://, http:// or https://.',
  ],
  ...['--token=x', '--token-file=x', '--header=A: b', '--query=a=b', '--insecure'].map(
    (option) => [['chat', 'a', option], `${option.split('=')[0] ?? ''} requires --url.`] as const,
  ),
  [
    ['chat', 'a', '--url', 'wss://h', '--proxy', 'me:secret@h:1'],
    'A proxy’s address looks like http://proxy.example:3128.',
  ],
  [
    ['chat', 'a', '--url', 'wss://h', '--token', 'x', '--token-file', 'y'],
    'Give either --token or --token-file, not both.',
  ],
  [
    ['chat', '-', '--url', 'wss://h', '--token', '-'],
    'Only one can come from stdin: the text or the token.',
  ],
  [['chat', 'a', '--url', 'wss://h', '--header', 'x'], 'A header is written as “Name: value”.'],
  [
    ['chat', 'a', '--max-new-tokens', '1.5'],
    '--max-new-tokens takes a whole number from 1 to 100000, not "1.5".',
  ],
  [
    ['chat', 'a', '--max-new-tokens', '-1'],
    '--max-new-tokens needs a value; write a value that begins with a dash as --max-new-tokens=-….',
  ],
  [['chat', 'a', '--image', '/no/such.jpg'], '/no/such.jpg does not exist.'],
  [[...talk, '--slices', '4'], '--slices requires --mode video.'],
  [
    [...talk, '--config', 'length_penalty'],
    '--config takes NAME=VALUE, such as length_penalty=1.1, not "length_penalty".',
  ],
  [[...talk, '--system', 'a', '--preset', 'coach'], 'Give either --system or --preset, not both.'],
  [['talk'], 'Give --mode audio or --mode video.'],
  [['talk', '--mode', 'audio'], 'Give your speech with --input IN.wav, or speak into a --mic.'],
  [['talk', '--mic='], "--mic= needs a name; --mic alone selects the system's default."],
  [talk, '/no/such.wav does not exist.'],
  [['doctor', '--room=x'], '--room takes alone, not "x".'],
  [[...talk, '--max-seconds', '0'], '--max-seconds takes a number from 1 to 3600, not "0".'],
  [
    [...talk, '--captions', 'a.txt'],
    '--captions takes a file that ends in .vtt or .srt, not "a.txt".',
  ],
  [
    ['replay'],
    'Name a tape: parley replay TAPE. Three come with Parley: parley replay --example voice, video or reconnect.',
  ],
  [
    ['replay', 'a', '--speed', 'fast'],
    '--speed takes a number from 0.1 to 100, or max, not "fast".',
  ],
  [
    ['gateway', '--allow-origin', 'https://example.com/page'],
    '--allow-origin takes an origin, such as https://name or http://name:port, not "https://example.com/page".',
  ],
  [
    ['gateway', '--mode-limits', 'video=300;audio=1'],
    '--mode-limits takes seconds, such as video=300,audio=600, not "video=300;audio=1".',
  ],
];

describe('wrong usage', () => {
  it.each(wrongUsage)('is refused in one sentence: parley %j', async (args, sentence) => {
    const { code, out, err } = await parley(...args);
    expect({ code, out, sentence: err.split('\n')[0] }).toEqual({ code: 2, out: '', sentence });
    expect(err).not.toContain('    at ');
  });
});
