import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { ownSpecs, remoteSpecs } from '../../../../../electron/hosts/terminal/command-table.ts';
import { referencePage } from './reference-page.ts';

const file = fileURLToPath(new URL('../../../../../docs/commands.md', import.meta.url));

it('docs/commands.md says what the commands take', async () => {
  const options = { ...(await resolveConfig(file)), parser: 'markdown' };
  const page = await format(referencePage(ownSpecs, remoteSpecs), options);
  await expect(page).toMatchFileSnapshot(file);
});
