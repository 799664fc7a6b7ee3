import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorCodes } from '../../../../shared/errors/app-error.ts';
import * as ownErrors from '../../../../shared/errors/error-codes.ts';
import * as serverErrors from '../../../../shared/errors/server-error-codes.ts';

const root = new URL('../../../../', import.meta.url);

/** Files that declare, translate or classify codes; these do not create errors. */
const onlySpoken = /^shared\/(?:errors\/(?:server-)?error-codes|i18n\/)|\/ending-verdict\.ts$/u;

function sources(): string {
  return ['electron', 'renderer', 'shared']
    .flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => /\.tsx?$/u.test(path) && !onlySpoken.test(path))
    .map((path) => readFileSync(new URL(path, root), 'utf8'))
    .join('\n');
}

it('every error code is used', () => {
  const text = sources();
  const unused = Object.keys(errorCodes).filter(
    (code) => !text.includes(`'${code}'`) && !new RegExp(`^ +${code}: '`, 'mu').test(text),
  );
  expect(unused).toEqual([]);
});

it('every error code is declared exactly once', () => {
  const tables = [...Object.values(ownErrors), ...Object.values(serverErrors)];
  const declared = tables.flatMap((table) => Object.keys(table));
  expect(declared.toSorted()).toEqual(Object.keys(errorCodes).toSorted());
});
