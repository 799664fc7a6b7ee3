import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from './root.mjs';
import { plainLines, run } from './run.mjs';
import { Stop } from './stop.mjs';

// Fuzzes the sound addon's C++ with libFuzzer, under AddressSanitizer and UndefinedBehaviorSanitizer.

const native = inRoot('electron', 'audio', 'native');
const target = inRoot('test', 'fuzz', 'sound-streams.cc');
const corpusFile = inRoot('test', 'fuzz', 'sound-streams.txt');
const sources = ['speaker.cc', 'microphone.cc', 'stream.cc'].map((name) => join(native, name));
const maxInputs = 80;
const maxInputBytes = 120;
const compilers = ['clang++', 'clang++-19', 'clang++-16', 'clang++-14'];

/** @param {string} compiler */
const hasFuzzer = (compiler) => {
  try {
    const name = execFileSync(compiler, ['-print-runtime-dir'], { encoding: 'utf8' }).trim();
    return readdirSync(name).some((file) => file.startsWith('libclang_rt.fuzzer'));
  } catch {
    return false;
  }
};

const compiler = () => (process.platform === 'linux' ? compilers.find(hasFuzzer) : undefined);

/** @returns {string | undefined} why the addon cannot be fuzzed here */
export const findClangProblem = () =>
  compiler() === undefined
    ? 'it needs Linux and clang with its libFuzzer (Debian: clang-14, libclang-rt-14-dev)'
    : undefined;

/** @param {string} folder */
const compile = async (folder) => {
  const portaudio = execFileSync('node', [join(native, 'portaudio-folder.cjs')], {
    encoding: 'utf8',
  });
  const file = join(folder, 'fuzz-sound');
  const { code, output } = await run(compiler() ?? '', [
    '-std=c++17',
    '-O2',
    '-g',
    '-fno-exceptions',
    '-fsanitize=fuzzer,address,undefined',
    '-fno-sanitize-recover=undefined',
    `-I${native}`,
    `-I${join(portaudio.trim(), 'include')}`,
    target,
    ...sources,
    '-o',
    file,
  ]);
  if (code !== 0)
    throw new Stop(`The addon could not be compiled for fuzzing: ${plainLines(output)[0] ?? ''}`);
  return file;
};

/**
 * Unpacks the stored corpus into the files that libFuzzer reads.
 * @param {string} folder
 */
const unpackCorpus = (folder) => {
  if (!existsSync(corpusFile)) return;
  const lines = readFileSync(corpusFile, 'utf8').trim().split('\n');
  for (const [index, line] of lines.entries())
    writeFileSync(join(folder, `input-${index}`), Buffer.from(line, 'base64'));
};

/**
 * Stores the shortest inputs of a minimal set with the same coverage, at most `maxInputs`.
 * @param {string} file
 * @param {string} corpus
 * @param {string} minimal
 */
const saveMinimalCorpus = async (file, corpus, minimal) => {
  mkdirSync(minimal);
  await run(file, ['-merge=1', minimal, corpus]);
  const inputs = readdirSync(minimal)
    .map((name) => readFileSync(join(minimal, name)))
    .filter(({ length }) => length <= maxInputBytes)
    .toSorted((one, other) => one.length - other.length)
    .slice(0, maxInputs);
  writeFileSync(corpusFile, inputs.map((input) => `${input.toString('base64')}\n`).join(''));
};

/**
 * @typedef {object} NativeFuzzOptions
 * @property {number} seed
 * @property {number} minutes
 * @property {string} findings a folder
 * @property {boolean} keep whether to store the minimised corpus
 * @property {(line: string) => void} say
 */

/**
 * @param {NativeFuzzOptions} options
 * @returns {Promise<string[]>} findings, one line each
 */
export const fuzzNative = async ({ seed, minutes, findings, keep, say }) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-fuzz-sound-'));
  const corpus = join(folder, 'corpus');
  mkdirSync(corpus);
  mkdirSync(findings, { recursive: true });
  try {
    const file = await compile(folder);
    unpackCorpus(corpus);
    const { code, output } = await run(file, [
      `-seed=${seed}`,
      `-max_total_time=${Math.ceil(minutes * 60)}`,
      '-max_len=400',
      '-len_control=10',
      '-timeout=30',
      '-rss_limit_mb=2048',
      '-print_final_stats=1',
      `-artifact_prefix=${join(findings, 'sound-streams.')}`,
      corpus,
    ]);
    const lines = plainLines(output);
    const executions = lines.find((line) => line.startsWith('stat::number_of_executed_units'));
    const lastStatus = lines.findLast((line) => / cov: \d+/.test(line));
    const blocks = /cov: (\d+)/.exec(lastStatus ?? '')?.[1] ?? '0';
    say(`sound streams: ${/\d+/.exec(executions ?? '')?.[0] ?? 0} executions, ${blocks} blocks`);
    if (code === 0) {
      if (keep) await saveMinimalCorpus(file, corpus, join(folder, 'minimal'));
      return [];
    }
    const fault = lines.find((line) => /SUMMARY|runtime error/.test(line)) ?? `exit code ${code}`;
    const inputFile = lines.find((line) => line.includes('Test unit written to')) ?? '';
    return [`FOUND in the sound streams: ${fault} ${inputFile}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
