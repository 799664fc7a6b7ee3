import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { expect, it } from 'vitest';
import { ownSpecs, remoteSpecs } from '../../../../../electron/hosts/terminal/command-table.ts';
import layout from '../../../../../.oxfmtrc.json' with { type: 'json' };
import { referencePage } from './reference-page.ts';

const file = fileURLToPath(new URL('../../../../../docs/commands.md', import.meta.url));

it('docs/commands.md says what the commands take', async () => {
  const { printWidth } = layout;
  const { code, errors } = await format(file, referencePage(ownSpecs, remoteSpecs), { printWidth });
  expect(errors).toEqual([]);
  await expect(code).toMatchFileSnapshot(file);
});
