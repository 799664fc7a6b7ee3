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

/** The requests are the keys of objects, such as `talkRequests`, whose values are schemas. */
const declaredRequests = () => {
  /** @type {{ place: string, name: string }[]} */
  const declared = [];
  for (const { file, program, text } of readSources(['shared/ipc']))
    new Visitor({
      VariableDeclarator: ({ id, init }) => {
        if (id.type !== 'Identifier' || !id.name.endsWith('Requests')) return;
        if (init?.type !== 'ObjectExpression') return;
        for (const property of init.properties) {
          if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
          const line = text.slice(0, property.start).split('\n').length;
          declared.push({ place: `${file}:${line}`, name: property.key.name });
        }
      },
    }).visit(program);
  return declared;
};

/**
 * @param {readonly import('./declared-members.mjs').Member[]} notices
 * @returns {string[]} what is wrong with the names of requests and of these notices
 */
export const unjoinedNames = (notices) => {
  const { asked, heard, posted } = namesSaid();
  return [
    ...declaredRequests()
      .filter(({ name }) => !asked.has(name))
      .map(({ place, name }) => `${place}: no page asks for "${name}".`),
    ...notices.flatMap(({ file, line, name: { text: name } }) => [
      ...(posted.has(name) ? [] : [`${file}:${line}: nobody posts the notice "${name}".`]),
      ...(heard.has(name) ? [] : [`${file}:${line}: no page hears the notice "${name}".`]),
    ]),
  ];
};

/**
 * @param {import('./declared-members.mjs').Member} member
 * @returns {boolean} whether it is the name of a notice
 */
export const isNotice = ({ file, owner, holder }) =>
  file.startsWith('shared/ipc/') &&
  owner?.endsWith('Notices') === true &&
  is.isInterfaceDeclaration(holder);
