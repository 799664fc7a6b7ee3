import * as is from 'typescript/unstable/ast/is';
import { Visitor } from 'vite';
import { readSources } from '../source-files.mjs';

/** The names that a table over all notices has; those that say `elsewhere` are heard in another place. */
const heardElsewhere = 'elsewhere';

/**
 * Names of the contract go as texts over whatever joins page and core, so that no type leads from one
 * end to the other: whoever asks, posts or hears says the name itself.
 */
const namesSaid = () => {
  const asked = new Set();
  const heard = new Set();
  const posted = new Set();

  for (const { file, program, text } of readSources(['renderer', 'electron'])) {
    const inPage = file.startsWith('renderer/');
    /** @param {{ type: string }} node */
    const heardIf = (node) => {
      if (inPage && node.type === 'Literal' && 'value' in node) heard.add(node.value);
    };
    new Visitor({
      CallExpression: ({ arguments: args }) => {
        for (const each of args)
          if (each.type === 'Literal') (inPage ? asked : posted).add(each.value);
      },
      BinaryExpression: ({ operator, left, right }) => {
        if (!/^[!=]==$/.test(operator)) return;
        heardIf(left);
        heardIf(right);
      },
      SwitchCase: ({ test }) => {
        if (test) heardIf(test);
      },
      VariableDeclarator: ({ id, init }) => {
        if (!inPage || init?.type !== 'ObjectExpression' || !id.typeAnnotation) return;
        const { start, end } = id.typeAnnotation;
        if (!/\bin \w*Notice/.test(text.slice(start, end))) return;
        for (const property of init.properties) {
          if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
          const { value } = property;
          if (value.type !== 'Identifier' || value.name !== heardElsewhere)
            heard.add(property.key.name);
        }
      },
    }).visit(program);
  }
  return { asked, heard, posted };
};

/**
 * @param {readonly import('./declared-members.mjs').Member[]} members
 * @returns {string[]} what is wrong with the names of requests and notices among them
 */
export const unjoinedNames = (members) => {
  const { asked, heard, posted } = namesSaid();
  return members.flatMap(({ file, line, owner, name: { text: name } }) => {
    const place = `${file}:${line}`;
    if (owner?.endsWith('Requests'))
      return asked.has(name) ? [] : [`${place}: no page asks for "${name}".`];
    return [
      ...(posted.has(name) ? [] : [`${place}: nobody posts the notice "${name}".`]),
      ...(heard.has(name) ? [] : [`${place}: no page hears the notice "${name}".`]),
    ];
  });
};

/**
 * @param {import('./declared-members.mjs').Member} member
 * @returns {boolean} whether it is the name of a request or of a notice
 */
export const isContractName = ({ file, owner, holder }) =>
  inContract(file) && /(Requests|Notices)$/.test(owner ?? '') && is.isInterfaceDeclaration(holder);

/** @param {string} file */
export const inContract = (file) => /^shared\/ipc\/.*contract\.ts$/.test(file);
