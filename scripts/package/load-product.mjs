import { readFileSync } from 'node:fs';
import { inRoot, rootDir } from '../lib/root.mjs';

/**
 * @typedef {object} Manifest
 * @property {string} version
 * @property {string} description
 * @property {string} homepage
 * @property {string} license
 * @property {string} author
 */

export const readManifest = () =>
  /** @type {Manifest} */ (JSON.parse(readFileSync(inRoot('package.json'), 'utf8')));

/**
 * Loads texts and tables from the product's TypeScript.
 * @template Module
 * @param {...string} path
 * @returns {Promise<Module>}
 */
const load = async (...path) => {
  // Loaded on demand, because only packaging needs Vite.
  const { runnerImport } = await import('vite');
  /** @type {{ module: Module }} */
  const { module } = await runnerImport(inRoot(...path), {
    root: rootDir,
    configFile: false,
    logLevel: 'error',
    define: { PARLEY_VERSION: JSON.stringify(readManifest().version) },
  });
  return module;
};

/**
 * @typedef {import('../../shared/i18n/messages.ts').PackagingMessages} PackagingMessages
 * @typedef {import('../../electron/hosts/terminal/options/command-spec.ts').CommandSpec} CommandSpec
 */

/**
 * @typedef {object} PackagingText
 * @property {string} locale a language without a region
 * @property {PackagingMessages} texts
 */

/** @returns {Promise<readonly PackagingText[]>} English first */
export const loadPackagingTexts = async () => {
  /** @type {typeof import('../../shared/i18n/languages.ts')} */
  const { languageIds } = await load('shared', 'i18n', 'languages.ts');
  return Promise.all(
    languageIds.map(async (id) => {
      /** @type {Record<string, PackagingMessages>} */
      const tables = await load('shared', 'i18n', id, 'core-messages.ts');
      const texts = Object.entries(tables).find(([name]) => name.endsWith('Packaging'))?.[1];
      if (texts === undefined)
        throw new Error(`shared/i18n/${id}/core-messages.ts exports no texts for packages`);
      return { locale: id, texts };
    }),
  );
};

/** @returns {Promise<readonly import('../../renderer/settings/about/licences.ts').Licence[]>} as About lists them */
export const loadLicences = async () => {
  /** @type {typeof import('../../renderer/settings/about/licences.ts')} */
  const { licences } = await load('renderer', 'settings', 'about', 'licences.ts');
  return licences;
};

/**
 * @typedef {object} Commands
 * @property {readonly CommandSpec[]} own
 * @property {readonly CommandSpec[]} remote
 * @property {(spec: CommandSpec) => readonly (readonly [string, string])[]} describeArguments
 * @property {(spec: CommandSpec) => string} usageOf
 * @property {Readonly<Record<'bash' | 'zsh' | 'fish', string>>} completions
 */

/** @returns {Promise<Commands>} */
export const loadCommands = async () => {
  const terminal = ['electron', 'hosts', 'terminal'];
  /** @type {[typeof import('./command-specs.mjs'), typeof import('../../electron/hosts/terminal/views/command-help.ts'), typeof import('../../electron/hosts/terminal/commands/completion-command.ts')]} */
  const [{ commandSpecs }, { describeArguments, usageOf }, shells] = await Promise.all([
    load('scripts', 'package', 'command-specs.mjs'),
    load(...terminal, 'views', 'command-help.ts'),
    load(...terminal, 'commands', 'completion-command.ts'),
  ]);
  const { own, remote } = commandSpecs;
  const specs = [...own, ...remote];
  return {
    own,
    remote,
    describeArguments,
    usageOf,
    completions: {
      bash: shells.bashCompletion(specs),
      zsh: shells.zshCompletion(specs),
      fish: shells.fishCompletion(specs),
    },
  };
};
