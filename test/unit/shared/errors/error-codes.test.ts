import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorCodes } from '../../../../shared/errors/app-error.ts';
import { cursorErrors } from '../../../../shared/errors/cursor-error-codes.ts';
import { memoryErrors } from '../../../../shared/errors/memory-error-codes.ts';
import { modelErrors } from '../../../../shared/errors/model-error-codes.ts';
import { mediaErrors, requestErrors } from '../../../../shared/errors/request-error-codes.ts';
import {
  answerErrors,
  connectionErrors,
  sessionErrors,
} from '../../../../shared/errors/session-error-codes.ts';
import { settingsErrors, storageErrors } from '../../../../shared/errors/storage-error-codes.ts';
import { toolErrors } from '../../../../shared/errors/tool-error-codes.ts';

const root = new URL('../../../../', import.meta.url);

/** Files that declare, translate or classify codes; these do not create errors. */
const onlySpoken = /^shared\/(?:errors\/\w+-error-codes|i18n\/)|\/ending-verdict\.ts$/u;

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

it('every error code is declared once, and so has one sentence', () => {
  const tables = [
    answerErrors,
    connectionErrors,
    cursorErrors,
    mediaErrors,
    memoryErrors,
    modelErrors,
    requestErrors,
    sessionErrors,
    settingsErrors,
    storageErrors,
    toolErrors,
  ];
  const declared = tables.flatMap((table) => Object.keys(table));
  expect(declared.toSorted()).toEqual(Object.keys(errorCodes).toSorted());
});
