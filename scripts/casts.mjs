import { Visitor } from 'vite';
import { allowedCasts } from './lib/allowed-casts.mjs';
import { readSources } from './lib/source-files.mjs';

// A gate: no test feeds what the product cannot make. A cast to `never` or `any`, one over
// another, and one that calls half an object a whole one, let a test prove what never happens.
// Objects of the engine and of packages, which a test cannot make, may be played by others.

/** @typedef {import('./lib/source-files.mjs').SourceFile} SourceFile */

/**
 * @param {SourceFile} source
 * @returns {Set<string>} the names by which it knows what the product has, and what it makes of that
 */
const ownNames = ({ program, exported, text }) => {
  const names = new Set(exported.map(({ name }) => name));
  for (const { type, start, end } of program.body) {
    const statement = text.slice(start, end);
    if (type !== 'ImportDeclaration') {
      // `type Part = Parameters<typeof compose>[0]`
      const [, own] = /^(?:type|interface|class) (\w+)/.exec(statement) ?? [];
      if (own !== undefined) names.add(own);
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
  const ours = ownNames(source);
  /** @type {{ file: string, line: number, cast: string }[]} */
  const found = [];
  new Visitor({
    TSAsExpression: ({ expression, typeAnnotation, end }) => {
      const type = text.slice(typeAnnotation.start, typeAnnotation.end);
      const blind = ['TSNeverKeyword', 'TSAnyKeyword'].includes(typeAnnotation.type);
      const twice = expression.type === 'TSAsExpression';
      const half = ['ObjectExpression', 'ArrayExpression'].includes(expression.type);
      // Half of an object may say that it is a part.
      const isOurs = (type.match(/\w+/g) ?? []).some((name) => ours.has(name));
      if (blind || (isOurs && (twice || (half && !type.startsWith('Partial<')))))
        found.push({
          file,
          line: text.slice(0, end).split('\n').length,
          cast: text.slice(twice ? expression.expression.end : expression.end, end).trim(),
        });
    },
  }).visit(program);
  return found;
};

const casts = readSources(['test']).flatMap(castsIn);
const said = [
  ...casts
    .filter((it) => !allowedCasts.some(({ file, cast }) => file === it.file && cast === it.cast))
    .map(
      ({ file, line, cast }) =>
        `${file}:${line}: "${cast}" feeds what the product may never make. Make the whole of it, or let the product take less.`,
    ),
  ...allowedCasts
    .filter(
      (allowed) => !casts.some(({ file, cast }) => file === allowed.file && cast === allowed.cast),
    )
    .map(({ file, cast }) => `scripts/lib/allowed-casts.mjs: ${file} has no "${cast}" any more.`),
];

for (const line of said) console.log(line);
process.exitCode = said.length > 0 ? 1 : 0;
