import * as is from 'typescript/unstable/ast/is';
import { Visitor } from 'vite';
import { readSources } from '../source-files.mjs';

/** In a table over all notices, this value marks a notice that other code handles. */
const noChange = 'noChange';

/**
 * Finds contract names by their string literals. They cross the bridge between page and core as strings, so no type
 * connects the two ends.
 */
const findUsedNames = () => {
  const sent = new Set();
  const handled = new Set();
  const posted = new Set();

  for (const { file, program, text } of readSources(['renderer', 'electron'])) {
    const inPage = file.startsWith('renderer/');
    /** @param {{ type: string }} node */
    const addIfHandled = (node) => {
      if (inPage && node.type === 'Literal' && 'value' in node) handled.add(node.value);
    };
    new Visitor({
      CallExpression: ({ arguments: args }) => {
        for (const each of args)
          if (each.type === 'Literal') (inPage ? sent : posted).add(each.value);
      },
      BinaryExpression: ({ operator, left, right }) => {
        if (!/^[!=]==$/.test(operator)) return;
        addIfHandled(left);
        addIfHandled(right);
      },
      SwitchCase: ({ test }) => {
        if (test) addIfHandled(test);
      },
      VariableDeclarator: ({ id, init }) => {
        if (!inPage || init?.type !== 'ObjectExpression' || !id.typeAnnotation) return;
        const { start, end } = id.typeAnnotation;
        if (!/\bin \w*Notice/.test(text.slice(start, end))) return;
        for (const property of init.properties) {
          if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
          const { value } = property;
          if (value.type !== 'Identifier' || value.name !== noChange)
            handled.add(property.key.name);
        }
      },
    }).visit(program);
  }
  return { sent, handled, posted };
};

/** Requests are the keys of objects such as `talkRequests`, whose values are schemas. */
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
 * @returns {string[]} a line per request that no page sends, and per notice that is not posted or not handled
 */
export const findUnconnectedNames = (notices) => {
  const { sent, handled, posted } = findUsedNames();
  return [
    ...declaredRequests()
      .filter(({ name }) => !sent.has(name))
      .map(({ place, name }) => `${place}: no page sends the request "${name}".`),
    ...notices.flatMap(({ file, line, name: { text: name } }) => [
      ...(posted.has(name) ? [] : [`${file}:${line}: no code posts the notice "${name}".`]),
      ...(handled.has(name) ? [] : [`${file}:${line}: no page handles the notice "${name}".`]),
    ]),
  ];
};

/**
 * @param {import('./declared-members.mjs').Member} member
 * @returns {boolean} whether the member declares a notice
 */
export const isNotice = ({ file, owner, holder }) =>
  file.startsWith('shared/ipc/') &&
  owner?.endsWith('Notices') === true &&
  is.isInterfaceDeclaration(holder);
