import { describe, expect, it } from 'vitest';
import { parley } from '../../../../fakes/fake-terminal.ts';
import manifest from '../../../../../package.json' with { type: 'json' };
import { loadSpecs } from '../../../../../electron/hosts/terminal/command-table.ts';

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

const { own, remote } = await loadSpecs();
const talk = ['talk', '--mode', 'audio', '--input', '/no/such.wav'];
const video = ['talk', '--mode', 'video', '--input', '/no/such.wav'];

/** Arguments, and the sentence of their error. */
const wrongUsage: readonly (readonly [readonly string[], string])[] = [
  [['chat'], 'Enter a question: parley chat "TEXT", or - to read it from stdin.'],
  [['chat', ''], 'The question is empty.'],
  [['chat', '-'], 'The text cannot be read from stdin, because stdin is not available.'],
  [['chat', 'a', 'b'], 'Unexpected argument "b".'],
  [['chat', 'a', '--loud'], 'Unknown option --loud.'],
  [['chat', 'a', '-x'], 'Unknown option -x.'],
  [[...talk, '--tpae', 'd'], 'Unknown option --tpae; did you mean --tape?'],
  [[...talk, '--mcroiphone'], 'Unknown option --mcroiphone.'],
  [['gateway', '--mode-limit=1'], 'Unknown option --mode-limit; did you mean --mode-limits?'],
  [['doctor', '--jsno'], 'Unknown option --jsno; did you mean --json?'],
  [['completion'], 'Name a shell: parley completion bash, zsh or fish.'],
  [['completion', 'tcsh'], 'completion takes bash, zsh or fish, not "tcsh".'],
  [['chat', 'a', '--json=yes'], '--json takes no value.'],
  [['chat', 'a', '--no-stream=1'], '--no-stream takes no value.'],
  [['chat', 'a', '--thinking=1'], '--thinking takes no value.'],
  [['chat', 'a', '--insecure=1'], '--insecure takes no value.'],
  ...['--url', '--token', '--header', '--query', '--fingerprint', '--dialect', '--image'].map(
    (option) => [['chat', 'a', option], `${option} needs a value.`] as const,
  ),
  ...['--system', '--tts', '--max-new-tokens', '--length-penalty'].map(
    (option) => [['chat', 'a', option], `${option} needs a value.`] as const,
  ),
  [
    ['chat', 'a', '--url', 'localhost'],
    'The address “localhost” has no scheme: begin it with ws://, wss://, http:// or https://.',
  ],
  [['chat', 'a', '--token', 'x'], '--token requires --url.'],
  [['chat', 'a', '--proxy', 'none'], '--proxy requires --url.'],
  [
    ['chat', 'a', '--url', 'wss://h', '--proxy', 'me:secret@h:1'],
    'A proxy’s address looks like http://proxy.example:3128.',
  ],
  [['chat', 'a', '--token-file', 'x'], '--token-file requires --url.'],
  [
    ['chat', 'a', '--url', 'wss://h', '--token', 'x', '--token-file', 'y'],
    'Give either --token or --token-file, not both.',
  ],
  [
    ['chat', '-', '--url', 'wss://h', '--token', '-'],
    'Only one can come from stdin: the text or the token.',
  ],
  [
    ['chat', 'a', '--url', 'wss://h', '--token', '-'],
    'The token cannot be read from stdin, because stdin is not available.',
  ],
  [[...talk, '--slices', '4'], '--slices requires --mode video.'],
  [[...video, '--slices', '10'], '--slices takes a whole number from 1 to 9, not "10".'],
  [
    [...talk, '--config', 'length_penalty'],
    '--config takes NAME=VALUE, such as length_penalty=1.1, not "length_penalty".',
  ],
  [[...talk, '--yielding', 'so'], '--yielding takes auto, always or never, not "so".'],
  [[...talk, '--system', 'a', '--preset', 'coach'], 'Give either --system or --preset, not both.'],
  [['chat', 'a', '--tts-voice', 'v.wav'], '--tts-voice requires --tts.'],
  [['gateway', '--allow-origin'], '--allow-origin needs a value.'],
  [
    ['gateway', '--allow-origin', '*'],
    '--allow-origin takes an origin, such as https://name or http://name:port, not "*".',
  ],
  [
    ['gateway', '--allow-origin', 'https://example.com/page'],
    '--allow-origin takes an origin, such as https://name or http://name:port, not "https://example.com/page".',
  ],
  [['chat', 'a', '--header', 'A: b'], '--header requires --url.'],
  [['chat', 'a', '--query', 'a=b'], '--query requires --url.'],
  [['chat', 'a', '--insecure'], '--insecure requires --url.'],
  [['chat', 'a', '--fingerprint', 'ab'], '--fingerprint requires --url.'],
  [
    ['chat', 'a', '--url', 'wss://h', '--insecure', '--fingerprint', 'ab'],
    'Give either --insecure or --fingerprint, not both.',
  ],
  [['chat', 'a', '--url', 'wss://h', '--header', 'x'], 'A header is written as “Name: value”.'],
  [['chat', 'a', '--dialect', 'welsh'], '--dialect takes auto, unified or legacy, not "welsh".'],
  [
    ['chat', 'a', '--max-new-tokens', '1.5'],
    '--max-new-tokens takes a whole number from 1 to 100000, not "1.5".',
  ],
  [
    ['chat', 'a', '--max-new-tokens', '-1'],
    '--max-new-tokens needs a value; write a value that begins with a dash as --max-new-tokens=-….',
  ],
  [
    ['chat', 'a', '--length-penalty', 'NaN'],
    '--length-penalty takes a number from 0.1 to 5, not "NaN".',
  ],
  [['chat', 'a', '--image', '/no/such.jpg'], '/no/such.jpg does not exist.'],
  [['talk'], 'Give --mode audio or --mode video.'],
  [['talk', '--mode', 'chat'], '--mode takes audio or video, not "chat".'],
  [['talk', '--mode', 'audio'], 'Give your speech with --input IN.wav, or speak into a --mic.'],
  [[...talk, '--mic'], 'Give either --input or --mic, not both.'],
  [['talk', '--mic='], "--mic= needs a name; --mic alone selects the system's default."],
  [
    [...talk, '--speaker='],
    "--speaker= needs a name; --speaker alone selects the system's default.",
  ],
  [talk, '/no/such.wav does not exist.'],
  [[...talk, 'extra'], 'Unexpected argument "extra".'],
  [[...talk, '--frame', 'a.jpg'], '--frame requires --mode video.'],
  [[...talk, '--chunk-ms', '249'], '--chunk-ms takes a whole number from 250 to 5000, not "249".'],
  [[...talk, '--chunk-ms', '1e3'], '--chunk-ms takes a whole number from 250 to 5000, not "1e3".'],
  [[...talk, '--max-seconds', '0'], '--max-seconds takes a number from 1 to 3600, not "0".'],
  [[...talk, '--interrupt-at', 'x'], '--interrupt-at takes a number from 0 to 3600, not "x".'],
  [
    [...talk, '--captions', 'a.txt'],
    '--captions takes a file that ends in .vtt or .srt, not "a.txt".',
  ],
  ...['--mode', '--input', '--frame', '--output', '--captions', '--tape', '--voice'].map(
    (option) => [[...video, option], `${option} needs a value.`] as const,
  ),
  ...['--tts-voice', '--interrupt-at', '--chunk-ms', '--max-seconds', '--system'].map(
    (option) => [[...video, option], `${option} needs a value.`] as const,
  ),
  [
    ['replay'],
    'Name a tape: parley replay TAPE. Three come with Parley: parley replay --example voice, video or reconnect.',
  ],
  [['replay', 'a', 'b'], 'Unexpected argument "b".'],
  [
    ['replay', 'a', '--speed', 'fast'],
    '--speed takes a number from 0.1 to 100, or max, not "fast".',
  ],
  [['replay', 'a', '--url', 'ws://h'], 'Unknown option --url.'],
  [
    ['replay', 'a', '--captions', 'a'],
    '--captions takes a file that ends in .vtt or .srt, not "a".',
  ],
  [['gateway', '--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
  [['gateway', '--dialect', 'auto'], '--dialect takes unified or legacy, not "auto".'],
  [
    ['gateway', '--manners', 'good'],
    '--manners takes documented, deployed or llama-omni, not "good".',
  ],
  [['gateway', '--workers', '0'], '--workers takes a whole number from 1 to 10000, not "0".'],
  [['gateway', '--queue', 'x'], '--queue takes a whole number from 0 to 10000, not "x".'],
  [
    ['gateway', '--mode-limits', 'video=300;audio=1'],
    '--mode-limits takes seconds, such as video=300,audio=600, not "video=300;audio=1".',
  ],
  [['gateway', '--context', '10'], '--context takes a whole number from 100 to 1000000, not "10".'],
  [['gateway', '--step-ms', '0'], '--step-ms takes a whole number from 1 to 60000, not "0".'],
  [['gateway', '--lead-ms', 'x'], '--lead-ms takes a whole number from 0 to 10000, not "x".'],
  [['gateway', '--input-ids', 'no'], '--input-ids takes echoed or dropped, not "no".'],
  [['gateway', '--host'], '--host needs a value.'],
  [['gateway', '--script', '/no/such.json'], '/no/such.json does not exist.'],
  [['gateway', 'now'], 'Unexpected argument "now".'],
  [['doctor', 'now'], 'Unexpected argument "now".'],
];

describe('wrong usage', () => {
  it.each(wrongUsage)('is refused in one sentence: parley %j', async (args, sentence) => {
    const { code, out, err } = await parley(...args);
    expect({ code, out, sentence: err.split('\n')[0] }).toEqual({ code: 2, out: '', sentence });
    expect(err).not.toContain('    at ');
  });
});

describe('the help', () => {
  it.each([...own, ...remote].map(({ name }) => name))(
    'of %s explains every option of its usage',
    async (name) => {
      const { code, out } = await parley(name, '--help');
      expect(code).toBe(0);
      const [, usage = '', ...details] = out.split('\n');
      const options = [...usage.matchAll(/--[\w-]+/g)].map(([option]) => option);
      const explained = details.join('\n');
      expect(options.filter((option) => !explained.includes(option))).toEqual([]);
    },
  );

  it('lists every command that runs by itself', async () => {
    const { out } = await parley('--help');
    for (const { name } of own) {
      expect(out).toMatch(new RegExp(`^ {2}${name} +\\w`, 'm'));
    }
  });
});
