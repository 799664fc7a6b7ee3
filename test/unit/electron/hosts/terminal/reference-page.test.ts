import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { expect, it } from 'vitest';
import { loadSpecs } from '../../../../../electron/hosts/terminal/command-table.ts';
import { referencePage } from './reference-page.ts';
import layout from '../../../../../.oxfmtrc.json' with { type: 'json' };

const file = fileURLToPath(new URL('../../../../../docs/commands.md', import.meta.url));

it('docs/commands.md matches the command specs', async () => {
  const { printWidth } = layout;
  const { code, errors } = await format(file, referencePage(await loadSpecs()), { printWidth });
  expect(errors).toEqual([]);
  await expect(code).toMatchFileSnapshot(file);
});
