import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findElectron, foreignElectron } from './lib/electron-runtime.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { plainLines, run } from './lib/run.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';
import { foreignTree } from './native/foreign-tree.mjs';
import { relinkInstalledBinding } from './lib/dependencies.mjs';
import { isArchitecture, nativeTarget } from './native/native-target.mjs';
import { packageDate } from './package/package-date.mjs';
import { planPackages } from './package/plan-packages.mjs';

// `npm run dist -- [KIND…] [--x64|--arm64]` packs Parley with electron-builder and makes the deb and rpm packages.

const platformOption = { darwin: '--mac', win32: '--win' }[
  /** @type {string} */ (process.platform)
];

/** @returns {NodeJS.ProcessEnv} points electron-builder at the 7-Zip program from npm, if it is installed */
const environment = () => {
  const system = { darwin: 'mac', win32: 'win' }[/** @type {string} */ (process.platform)];
  const program = process.platform === 'win32' ? '7za.exe' : '7za';
  const file = inRoot('node_modules', '7zip-bin', system ?? 'linux', process.arch, program);
  if (process.env['ELECTRON_BUILDER_7ZIP_PATH'] !== undefined || !existsSync(file)) {
    return process.env;
  }
  chmodSync(file, 0o755); // the npm package lacks the executable bit
  return { ...process.env, ELECTRON_BUILDER_7ZIP_PATH: file };
};

/** @param {string} output */
const findCause = (output) => {
  const line = plainLines(output).find((text) => /⨯|\bError:|cannot /i.test(text));
  return (line ?? plainLines(output).at(-1) ?? 'no output')
    .replace(/^[\s⨯]+/, '')
    .replace(/\s*failedTask=.*$/, '')
    .replace(/\.$/, '');
};

/**
 * How to run electron-builder on this folder, or on a copy for another processor architecture.
 * @typedef {object} PackingPlan
 * @property {readonly string[]} builderOptions extra options for electron-builder
 * @property {{ folder?: string, version: string } | { reason: string }} electron
 */

/** @returns {Promise<PackingPlan>} */
const planLocalPacking = async () => {
  await relinkInstalledBinding();
  return { builderOptions: [], electron: await findElectron() };
};

/** @param {import('./native/native-target.mjs').Architecture} architecture @returns {Promise<PackingPlan>} */
const planForeignPacking = async (architecture) => {
  const target = nativeTarget(architecture);
  if ('reason' in target)
    throw new Stop(`${architecture} cannot be packed here: ${target.reason}.`);
  say(`Compiling native parts for ${architecture}…`);
  const tree = await foreignTree(target);
  const electron = await foreignElectron(architecture);
  if ('reason' in electron) {
    throw new Stop(
      `Left out: the packages for ${architecture}, because ${electron.reason}. Their native parts are in ${relative(rootDir, tree)}.`,
    );
  }
  const builderOptions = [
    `--${architecture}`,
    `--projectDir=${tree}`,
    `--config=${inRoot('electron-builder.yml')}`,
    `-c.directories.output=${inRoot('release')}`,
    `-c.afterPack=${inRoot('scripts', 'after-pack.cjs')}`,
  ];
  return { builderOptions, electron };
};

/**
 * @param {readonly string[]} kinds
 * @param {PackingPlan} plan
 * @returns {Promise<{ folder: string, files: readonly string[] }>} the unpacked app and the packages
 */
const pack = async (kinds, { builderOptions, electron }) => {
  // Without a local runtime, electron-builder downloads Electron itself.
  const runtime =
    'reason' in electron
      ? []
      : [
          ...(electron.folder === undefined ? [] : [`-c.electronDist=${electron.folder}`]),
          `-c.electronVersion=${electron.version}`,
        ];
  say('Packing Parley…');
  const { code, output } = await run(
    process.execPath,
    [
      inRoot('node_modules', 'electron-builder', 'cli.js'),
      platformOption ?? '--linux',
      ...kinds,
      '--publish',
      'never',
      ...runtime,
      ...builderOptions,
    ],
    { env: environment() },
  );
  if (code !== 0) {
    const log = join(mkdtempSync(join(tmpdir(), 'parley-')), 'electron-builder.log');
    writeFileSync(log, output);
    const more = 'reason' in electron ? `; also, ${electron.reason}` : '';
    throw new Stop(
      `Parley could not be packed (${findCause(output)}${more}). Read the log ${log} for more.`,
    );
  }
  const folder = /appOutDir=(\S+)/.exec(plainLines(output).join('\n'))?.[1] ?? 'its output folder';
  const files = [...output.matchAll(/building .*\bfile=(\S+)/g)].map((match) => match[1] ?? '');
  return { folder, files };
};

await main(async () => {
  const args = process.argv.slice(2);
  const named = args.map((arg) => arg.replace(/^--/, '')).filter(isArchitecture);
  const targets = args.filter((arg) => !isArchitecture(arg.replace(/^--/, '')));
  if (targets.some((target) => !/^[a-zA-Z][\w.]*$/.test(target))) {
    throw new Stop(
      'Name kinds of packages, such as dir, tar.gz or deb: npm run dist -- dir.',
      wrongUsage,
    );
  }
  const [architecture = process.arch, more] = named;
  if (more !== undefined) {
    throw new Stop('Choose one processor, --x64 or --arm64, not both.', wrongUsage);
  }
  await prepare();
  const { builderTargets, systemMakers, skipped } = await planPackages(targets);
  const foreign = architecture !== process.arch && isArchitecture(architecture);
  const { folder, files } = await pack(
    builderTargets,
    await (foreign ? planForeignPacking(architecture) : planLocalPacking()),
  );
  const date = await packageDate();
  const systemPackages = [];
  for (const make of systemMakers)
    systemPackages.push(await make({ unpacked: inRoot(folder), date }));
  for (const { kind, reason } of skipped) say(`Left out: ${kind}, because ${reason}.`);
  say(
    `Packed: ${[folder, ...files, ...systemPackages.map((file) => relative(rootDir, file))].join(', ')}`,
  );
});
