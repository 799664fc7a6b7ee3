import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { connectBackends } from '../../../../../../electron/app/model-server.ts';
import {
  gatewayCommand,
  readGatewayScript,
} from '../../../../../../electron/hosts/terminal/commands/gateway-command.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeTerminal, parley } from '../../../../../fakes/fake-terminal.ts';
import { flushPromises } from '../../../../../fakes/promises.ts';
import { loadSpecs } from '../../../../../../electron/hosts/terminal/command-table.ts';
import { workFolder } from '../../../../../fakes/work-folder.ts';
import type { TerminalCore } from '../../../../../../electron/hosts/terminal/terminal-command.ts';

type Serving = Parameters<TerminalCore['serveGateway']>[2];

/** Runs the command until its Ctrl-C, and returns what it would serve. */
async function served(...args: readonly string[]): Promise<Serving> {
  let serving: Serving;
  const core: Pick<TerminalCore, 'files' | 'serveGateway' | 'openModel' | 'connectBackends'> = {
    files: new FakeFiles(),
    connectBackends: (addresses) => Promise.resolve(connectBackends(addresses)),
    openModel: () => Promise.reject(new Error('The command opened a model.')),
    serveGateway: (_options, _port, given) => {
      serving = given;
      return Promise.resolve({
        ok: true,
        value: { url: 'ws://127.0.0.1:1', drain: () => undefined },
      });
    },
  };
  const { terminal, interrupt } = fakeTerminal();
  const running = gatewayCommand.run(args, terminal, () => core);
  await flushPromises();
  interrupt();
  await running;
  return serving;
}

describe('parley gateway --backend', () => {
  it('makes each model server a worker for talks and for chats', async () => {
    const { backends } =
      (await served('--backend', 'ws://one:1/backend', '--backend', 'http://two:2')) ?? {};
    expect(backends).toMatchObject([
      { name: 'ws://one:1/backend', serves: 'both' },
      { name: 'ws://two:2/backend', serves: 'both' },
    ]);
  });

  it('serves chats only by the servers of --chat-backend, if there are any', async () => {
    const { backends } =
      (await served('--backend', 'ws://one:1', '--chat-backend', 'ws://two:2')) ?? {};
    expect(backends).toMatchObject([{ serves: 'duplex' }, { serves: 'chat' }]);
  });

  it.each(['ftp://host', 'host:22500', 'ws://user:secret@host', 'ws://host/backend?key=secret'])(
    'refuses the address %s in one sentence, without its secrets',
    async (address) => {
      const { code, out, err } = await parley('gateway', '--backend', address);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/is not the address of a model server, such as ws:/);
      expect(err).not.toContain('secret');
    },
  );

  it('refuses an empty host, which would serve every address of the machine', async () => {
    await expect(served('--host', '')).rejects.toThrow(
      '--host needs a value, and not an empty one.',
    );
  });

  it('refuses options that belong to the demonstration', async () => {
    const { code, err } = await parley('gateway', '--backend', 'ws://host:1', '--workers', '3');
    expect(code).toBe(2);
    expect(err).toContain('--workers configures the demonstration');
  });
});

describe('a script of faults', () => {
  async function read(content: string): Promise<unknown> {
    const files = new FakeFiles();
    files.put('faults.json', content);
    return readGatewayScript({ files }, 'faults.json');
  }

  it('is read', async () => {
    const faults = [
      { kind: 'delay', ms: 200, jitterMs: 50 },
      { kind: 'garbage', atStep: 1, what: 'nan' },
      { kind: 'refuse', status: 503, body: 'later' },
      { kind: 'error', atStep: 'admission', code: 'worker_busy' },
      { kind: 'closed', atStep: 'creation', reason: 'any at all' },
      { kind: 'wedge' },
    ];
    expect(await read(JSON.stringify(faults))).toEqual(faults);
  });

  it.each([
    ['{', /^faults\.json is not JSON\.$/],
    ['{"kind":"drop"}', /^faults\.json must contain a list of faults/],
    [
      '[{"kind":"flood"}]',
      /^faults\.json has an error in fault 1, at kind: must be one of delay, .+, shutdown\.$/,
    ],
    ['[5]', /in fault 1: must be an object, such as .+\.$/],
    ['[{"kind":"delay"}]', /in fault 1, at ms: is missing\.$/],
    ['[{"kind":"delay","ms":"1"}]', /at ms: must be a number\.$/],
    ['[{"kind":"delay","ms":-1}]', /at ms: must be at least 0\.$/],
    ['[{"kind":"lostListens","share":2}]', /at share: must be at most 1\.$/],
    ['[{"kind":"wedge","after":2}]', /in fault 1: does not take after\.$/],
    ['[{"kind":"garbage","atStep":1,"what":"x"}]', /at what: must be one of text, .+, cutJson\.$/],
    ['[{"kind":"stall","atStep":1},{"kind":"drop"}]', /error in fault 2, at atStep: .+\.$/],
    [
      '[{"kind":"drop","atStep":"later"}]',
      /at atStep: must be a step number from 1, "admission" or "creation"\.$/,
    ],
  ])('is refused in one sentence: %s', async (content, sentence) => {
    await expect(read(content)).rejects.toThrow(sentence);
  });
});

const run = promisify(execFile);
const { own, remote } = await loadSpecs();
const specs = [...own, ...remote];

async function script(shell: 'bash' | 'zsh' | 'fish'): Promise<string> {
  const { code, out, err } = await parley('completion', shell);
  expect([code, err]).toEqual([0, '']);
  return out;
}

async function isInstalled(shell: string): Promise<boolean> {
  return run(shell, ['--version']).then(
    () => true,
    () => false,
  );
}

/** Bash's completions after each of these lists of words, whose last word is incomplete; `files` for file names. */
async function bashOffers(
  ...lists: readonly (readonly string[])[]
): Promise<readonly (readonly string[])[]> {
  const offer = `
    compopt() { [[ $* == '-o default' ]] && echo files; }
    offer() {
      COMP_WORDS=(parley "$@") COMP_CWORD=$# COMPREPLY=()
      _parley
      printf '%s\\n' "\${COMPREPLY[@]}" =
    }`;
  const calls = lists.map((words) => `offer ${words.map((word) => `'${word}'`).join(' ')}`);
  const text = [await script('bash'), offer, ...calls].join('\n');
  const { stdout, stderr } = await run('bash', ['-c', text]);
  expect(stderr).toBe('');
  return stdout
    .split('=\n')
    .slice(0, -1)
    .map((offered) => offered.split('\n').filter((line) => line !== ''));
}

const hasBash = await isInstalled('bash');

describe('completion in bash', () => {
  beforeEach(({ skip }) => {
    if (!hasBash) skip('bash is not installed');
  });

  it('offers every command and every option', async () => {
    const names = specs.map(({ name }) => name);
    const [commands, ...options] = await bashOffers([''], ...names.map((name) => [name, '-']));
    expect(commands).toEqual([...names, '--help', '--version']);
    expect(options).toEqual(
      specs.map((spec) => [...Object.keys(spec.options), 'help'].map((option) => `--${option}`)),
    );
  });
});

describe('completion in zsh', () => {
  it('knows every option, its values and files', async () => {
    const text = await script('zsh');
    for (const { name, options } of specs) {
      expect(text).toContain(`'${name}:`);
      for (const option of Object.keys(options)) expect(text).toContain(`--${option}`);
    }
    expect(text).toContain("'--mode=[audio or video]:M:(audio video)'");
    expect(text).toContain("'(--input)--mic=-[");
    expect(text).toContain("'(--insecure)--fingerprint=[");
    expect(text).toContain(
      "'*--image=[a JPEG, PNG or WebP picture to send along; repeatable]:F:_files'",
    );
    expect(text).toContain("'1:press|release|toggle:(press release toggle)'");
  });

  it('is a script that zsh accepts', async ({ skip }) => {
    if (!(await isInstalled('zsh'))) return skip('zsh is not installed');
    const file = workFolder()('_parley');
    writeFileSync(file, await script('zsh'));
    const { stderr } = await run('zsh', ['-n', file]);
    expect(stderr).toBe('');
  });
});

describe('completion in fish', () => {
  it('knows every option, its values and files', async () => {
    const text = await script('fish');
    for (const { name, options } of specs) {
      expect(text).toContain(`-n __fish_use_subcommand -a ${name} -d`);
      for (const option of Object.keys(options)) {
        expect(text).toContain(`-n '__fish_seen_subcommand_from ${name}' -l ${option} `);
      }
    }
    expect(text).toContain("-l mode -x -a 'audio video' -d 'audio or video'");
    expect(text).toContain("-l header -x -d 'an additional HTTP header");
    expect(text).toContain("-l input -r -F -d 'a WAV file with what you say");
    expect(text).toContain("-n '__fish_seen_subcommand_from ptt' -a press -d 'holds");
  });

  it('offers the choices of an option', async ({ skip }) => {
    if (!(await isInstalled('fish'))) return skip('fish is not installed');
    const asked = 'complete -C "parley talk --mode "';
    const { stdout } = await run('fish', ['-c', `${await script('fish')}\n${asked}`]);
    const offered = stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(offered).toEqual(['audio', 'video', '']);
  });
});
