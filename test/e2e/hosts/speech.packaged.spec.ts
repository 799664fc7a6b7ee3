import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from '../fixtures/host-test.ts';

test('the package contains the demonstration’s speech and can read it', async ({ electron }) => {
  const found = await electron.evaluate(({ app }) => {
    const { readFileSync, readdirSync } = process.getBuiltinModule('node:fs');
    const folder = `${app.getAppPath()}/resources/speech`;
    const names = readdirSync(folder).toSorted();
    return {
      folder,
      files: names.map((name) => [name, readFileSync(`${folder}/${name}`).length] as const),
    };
  });
  expect(found.folder).toMatch(/\/resources\/app\.asar\/resources\/speech$/);
  const names = (await readdir('resources/speech')).toSorted();
  expect(names.filter((name) => name.endsWith('.wav')).length).toBeGreaterThan(0);
  const sizes = await Promise.all(
    names.map(async (name) => (await readFile(`resources/speech/${name}`)).length),
  );
  expect(found.files).toEqual(names.map((name, at) => [name, sizes[at]]));
});
