import { Visitor } from 'vite';
import { readSources } from './lib/source-files.mjs';

// A gate: no test passes a value that the product cannot produce. A cast to `never` or `any`, and a double cast or a cast of an
// incomplete literal to a product type, hide such a value. Casts to types of Node, Electron and packages are allowed, for fakes.

/**
 * Casts that the gate still allows. Each can go once the code under test takes only the part of the object that the test
 * fakes. Do not add entries.
 * @type {readonly { readonly file: string, readonly cast: string, readonly why: string }[]}
 */
const allowedCasts = [
  {
    file: 'test/fakes/fake-bridge.ts',
    cast: 'as never',
    why: 'one reply serves every request, and only the caller’s types know which',
  },
  {
    file: 'test/unit/renderer/drafts.test.ts',
    cast: 'as never',
    why: 'as in the fake bridge',
  },
  { file: 'test/gallery/gallery-core.ts', cast: 'as never', why: 'as in the fake bridge' },
  {
    file: 'test/fakes/fake-handlers.ts',
    cast: 'as unknown as ControllerHandlers',
    why: 'a proxy refuses every request of the contract; the names exist only at run time',
  },
  {
    file: 'test/unit/electron/hosts/desktop/desktop-windows.test.ts',
    cast: 'as unknown as Deps',
    why: 'registering a window takes an Electron window',
  },
  {
    file: 'test/unit/electron/app/ipc/window-ipc.test.ts',
    cast: 'as unknown as Parameters<Register>[0]',
    why: 'as above: a fake Electron window',
  },
  {
    file: 'test/unit/electron/hosts/terminal/commands/talk-command-harness.ts',
    cast: 'as unknown as TerminalCore',
    why: 'a command takes a whole core',
  },
  {
    file: 'test/unit/electron/platform/portaudio.test.ts',
    cast: 'as Partial<NativeSound> as NativeSound',
    why: 'the device tables use only two functions of the addon: start and stop',
  },
];

/** @typedef {import('./lib/source-files.mjs').SourceFile} SourceFile */

/**
 * @param {SourceFile} source
 * @returns {Set<string>} names of product types in this file: imported, exported and derived from them
 */
const productTypeNames = ({ program, exported, text }) => {
  const names = new Set(exported.map(({ name }) => name));
  for (const { type, start, end } of program.body) {
    const statement = text.slice(start, end);
    if (type !== 'ImportDeclaration') {
      // `type Part = Parameters<typeof compose>[0]`
      const [, declared] = /^(?:type|interface|class) (\w+)/.exec(statement) ?? [];
      if (declared !== undefined) names.add(declared);
    } else if (/ from '[./]+\/(?:shared|electron|renderer)\//.test(statement)) {
      for (const [name] of statement.replace(/ from .*/s, '').matchAll(/\w+/g)) names.add(name);
    }
  }
  return names;
};

/**
 * @param {SourceFile} source
 * @returns {{ file: string, line: number, cast: string }[]}
 */
const castsIn = (source) => {
  const { file, program, text } = source;
  const productTypes = productTypeNames(source);
  /** @type {{ file: string, line: number, cast: string }[]} */
  const found = [];
  new Visitor({
    TSAsExpression: ({ expression, typeAnnotation, end }) => {
      const type = text.slice(typeAnnotation.start, typeAnnotation.end);
      const toNeverOrAny = ['TSNeverKeyword', 'TSAnyKeyword'].includes(typeAnnotation.type);
      const isDoubleCast = expression.type === 'TSAsExpression';
      const isPartialLiteral = ['ObjectExpression', 'ArrayExpression'].includes(expression.type);
      const isProductType = (type.match(/\w+/g) ?? []).some((name) => productTypes.has(name));
      if (
        toNeverOrAny ||
        (isProductType && (isDoubleCast || (isPartialLiteral && !type.startsWith('Partial<'))))
      )
        found.push({
          file,
          line: text.slice(0, end).split('\n').length,
          cast: text.slice(isDoubleCast ? expression.expression.end : expression.end, end).trim(),
        });
    },
  }).visit(program);
  return found;
};

const casts = readSources(['test']).flatMap(castsIn);
const messages = [
  ...casts
    .filter(
      (found) => !allowedCasts.some(({ file, cast }) => file === found.file && cast === found.cast),
    )
    .map(
      ({ file, line, cast }) =>
        `${file}:${line}: "${cast}" passes a value that the product may never produce. Build the whole value, or let the code take only the members it uses.`,
    ),
  ...allowedCasts
    .filter(
      (allowed) => !casts.some(({ file, cast }) => file === allowed.file && cast === allowed.cast),
    )
    .map(({ file, cast }) => `scripts/casts.mjs: ${file} no longer has "${cast}".`),
];

for (const line of messages) console.log(line);
process.exitCode = messages.length > 0 ? 1 : 0;
