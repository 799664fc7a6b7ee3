import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadSpecs } from '../../../../../../electron/hosts/terminal/command-table.ts';
import { parley } from '../../../../../fakes/fake-terminal.ts';
import { workFolder } from '../../../../../fakes/work-folder.ts';

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

/** Bash's completions after these words, the last of which is incomplete; `files` for file names. */
async function bashOffers(...words: readonly string[]): Promise<readonly string[]> {
  const after = `
    compopt() { [[ $* == '-o default' ]] && echo files; }
    COMP_WORDS=(parley "$@")
    COMP_CWORD=$#
    _parley
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = `${await script('bash')}${after}`;
  const { stdout, stderr } = await run('bash', ['-c', text, 'bash', ...words]);
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const hasBash = await isInstalled('bash');

describe('completion in bash', () => {
  beforeEach(({ skip }) => {
    if (!hasBash) skip('bash is not installed');
  });

  it('offers every command', async () => {
    const offered = await bashOffers('');
    expect(offered).toEqual([...specs.map(({ name }) => name), '--help', '--version']);
    expect(await bashOffers('st')).toEqual(['start', 'stop']);
  });

  it.each(specs.map((spec) => [spec.name, spec] as const))(
    'offers every option of %s',
    async (name, { options }) => {
      const offered = await bashOffers(name, '-');
      expect(offered).toEqual([...Object.keys(options), 'help'].map((option) => `--${option}`));
    },
  );

  it('offers an option’s choices, but nothing for a free value', async () => {
    expect(await bashOffers('talk', '--mode', '')).toEqual(['audio', 'video']);
    expect(await bashOffers('talk', '--dialect', '=', 'u')).toEqual(['unified']);
    expect(await bashOffers('talk', '--dialect', '=')).toEqual(['auto', 'unified', 'legacy']);
    expect(await bashOffers('talk', '--system', '')).toEqual([]);
    expect(await bashOffers('talk', '--input', '')).toEqual(['files']);
    expect(await bashOffers('talk', '--mic', '--mod')).toEqual(['--mode']);
  });

  it('offers the arguments that a command takes', async () => {
    expect(await bashOffers('ptt', '')).toEqual(['press', 'release', 'toggle']);
    expect(await bashOffers('completion', 'z')).toEqual(['zsh']);
    expect(await bashOffers('replay', '')).toEqual(['files']);
    expect(await bashOffers('show', '')).toEqual([]);
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
