import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { englishCore } from '../../shared/i18n/en/core-messages.ts';
import { englishPage } from '../../shared/i18n/en/page-messages.ts';
import { pseudoTexts } from '../unit/shared/i18n/message-texts.ts';

/** Unicode's locale for accented English. */
export const pseudoId = 'en-XA';

/** Adds a pseudo language to a copy of the tree, as docs/recipes.md describes: a folder and a list entry. */
export async function addPseudoLanguage(tree: string): Promise<void> {
  const folder = join(tree, 'shared/i18n', pseudoId);
  await mkdir(folder);
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  const list = join(tree, 'shared/i18n/languages.ts');
  const text = await readFile(list, 'utf8');
  const end = '\n};\n\n/** A BCP 47 subtag';
  if (text.split(end).length !== 2)
    throw new Error(`Expected one end of the list of languages in ${list}.`);
  await writeFile(
    list,
    text.replace(end, () => `\n${entry}${end}`),
  );
}

const entry = `  '${pseudoId}': language({
    ownName: '[Þšéúđó]',
    tag: '${pseudoId}',
    locales: /^${pseudoId}\\b/,
    page: async () => (await import('./${pseudoId}/page-messages.ts')).pseudoPage,
    core: async () => (await import('./${pseudoId}/core-messages.ts')).pseudoCore,
  }),`;

const files = {
  'page-messages.ts': `import type { PageMessages } from '../messages.ts';

export const pseudoPage: PageMessages = ${JSON.stringify(pseudoTexts(englishPage), null, 2)};
`,
  'core-messages.ts': `import type { CoreMessages } from '../messages.ts';

export const pseudoCore: CoreMessages = ${JSON.stringify(pseudoTexts(englishCore), null, 2)};
`,
};
