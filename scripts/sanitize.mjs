import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from './lib/main.mjs';
import { nodeHeaderFolder } from './native/native-target.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { plainLines, run } from './lib/run.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// Runs the sound addon's contract tests under AddressSanitizer and UndefinedBehaviorSanitizer, or with --thread under
// ThreadSanitizer. It restores the plain addon afterwards.

const native = inRoot('electron', 'audio', 'native');
const release = join(native, 'build', 'Release');
const addon = join(release, 'parley_sound.node');
const backup = join(release, 'parley_sound.plain');

/** The other sound suites kill sound servers and are slow. */
const suites = ['sound-addon', 'sound-driver'];

const useThreadSanitizer = process.argv.includes('--thread');
const sanitizer = useThreadSanitizer
  ? { flags: ['-fsanitize=thread'], libraries: ['libtsan.so'] }
  : {
      flags: ['-fsanitize=address,undefined', '-fno-sanitize-recover=undefined'],
      libraries: ['libasan.so', 'libubsan.so'],
    };

/** @param {string} name */
const libraryFile = (name) => {
  const file = execFileSync('g++', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();
  if (!existsSync(file)) throw new Stop(`${name} is missing: install g++ with its sanitizers.`);
  return file;
};

const compile = async () => {
  const portaudio = await runTool('node', [join(native, 'portaudio-folder.cjs')], native);
  const sources = readdirSync(native).filter((file) => file.endsWith('.cc'));
  await runTool(
    'g++',
    [
      '-std=c++17',
      '-O1',
      '-g',
      '-fPIC',
      '-shared',
      '-fno-exceptions',
      '-fno-omit-frame-pointer',
      '-DNAPI_VERSION=8',
      '-DNODE_GYP_MODULE_NAME=parley_sound',
      ...sanitizer.flags,
      `-I${nodeHeaderFolder()}`,
      `-I${join(portaudio, 'include')}`,
      ...sources,
      join(portaudio, 'bin', 'libportaudio.so.2'),
      '-Wl,-rpath,$ORIGIN',
      '-o',
      addon,
    ],
    native,
  );
};

/**
 * @param {string} tool
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} its output
 */
const runTool = async (tool, args, cwd) => {
  const result = await run(tool, args, { cwd });
  if (result.code !== 0) {
    for (const line of plainLines(result.output).slice(0, 20)) say(line);
    throw new Stop(`${tool} could not build the addon.`);
  }
  return result.output.trim();
};

/** @param {string} reports a folder */
const test = (reports) => {
  const options = `log_path=${join(reports, 'report')}:exitcode=86`;
  const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs');
  const files = suites.map((suite) => `test/contract/${suite}.contract.test.ts`);
  const env = {
    ...process.env,
    NO_COLOR: '1',
    // Child processes load the addon, and they inherit this variable.
    LD_PRELOAD: sanitizer.libraries.map(libraryFile).join(' '),
    // Node and libraries never free some memory, which is not a fault of the addon.
    ASAN_OPTIONS: `${options}:detect_leaks=0`,
    UBSAN_OPTIONS: `${options}:print_stacktrace=1`,
    TSAN_OPTIONS: `${options}:report_signal_unsafe=0`,
  };
  return run(process.execPath, [vitest, 'run', ...files], {
    cwd: rootDir,
    env,
    timeoutMs: 180_000,
  });
};

await main(async () => {
  if (process.platform !== 'linux')
    throw new Stop('The sanitizers need Linux. Run this on a Linux machine.');
  if (!existsSync(addon)) throw new Stop('The addon is not compiled yet. Run npm start once.');
  const reports = mkdtempSync(join(tmpdir(), 'parley-sanitize-'));
  copyFileSync(addon, backup);
  try {
    say('Building the addon with sanitizers…');
    // Delete first: overwriting a mapped library would crash the process that uses it.
    rmSync(addon);
    await compile();
    say(`Running ${suites.join(', ')}…`);
    const { code, output } = await test(reports);
    const texts = readdirSync(reports).map((file) => readFileSync(join(reports, file), 'utf8'));
    for (const report of texts) process.stdout.write(`${report}\n`);
    if (code !== 0) process.stdout.write(`${output}\n`);
    if (texts.length > 0) throw new Stop(`The sanitizers wrote ${texts.length} reports.`);
    if (code !== 0) throw new Stop('A test failed under the sanitizers.');
    const tests = plainLines(output).filter((line) => /^\s*Tests\s/.test(line));
    say(`No reports.${tests.join('')}`);
  } finally {
    rmSync(addon, { force: true });
    copyFileSync(backup, addon);
    rmSync(backup);
    rmSync(reports, { recursive: true });
  }
});
