import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { englishCore } from '../../shared/i18n/en/core-messages.ts';
import { englishPage } from '../../shared/i18n/en/page-messages.ts';
import { pseudoTexts } from '../fakes/pseudo-language.ts';

/** What Unicode calls accented English. */
export const pseudoId = 'en-XA';

/** Adds a third language to a copy of the tree as CONTRIBUTING says: a folder, and a line with its import. */
export async function addPseudoLanguage(tree: string): Promise<void> {
  const folder = join(tree, 'shared/i18n', pseudoId);
  await mkdir(folder);
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  await edit(join(tree, 'shared/i18n/languages.ts'), [
    [
      "import { chinese } from './zh/chinese.ts';\n",
      `import { pseudo } from './${pseudoId}/pseudo.ts';\n`,
    ],
    ['  zh: chinese,\n', `  '${pseudoId}': pseudo,\n`],
  ]);
}

const files = {
  'pseudo.ts': `import type { LanguageEntry } from '../language-entry.ts';

export const pseudo: LanguageEntry = {
  ownName: '[Þšéúđó]',
  tag: '${pseudoId}',
  locales: /^${pseudoId}\\b/,
  page: async () => (await import('./page-messages.ts')).pseudoPage,
  core: async () => (await import('./core-messages.ts')).pseudoCore,
};
`,
  'page-messages.ts': `import type { PageMessages } from '../messages.ts';

export const pseudoPage: PageMessages = ${JSON.stringify(pseudoTexts(englishPage), null, 2)};
`,
  'core-messages.ts': `import type { CoreMessages } from '../messages.ts';

export const pseudoCore: CoreMessages = ${JSON.stringify(pseudoTexts(englishCore), null, 2)};
`,
};

/** Puts a line after each of those that are there. */
async function edit(file: string, lines: readonly (readonly [string, string])[]): Promise<void> {
  let text = await readFile(file, 'utf8');
  for (const [before, line] of lines) {
    if (!text.includes(before)) throw new Error(`${file} has no line ${before.trim()}.`);
    text = text.replace(before, () => before + line);
  }
  await writeFile(file, text);
}
