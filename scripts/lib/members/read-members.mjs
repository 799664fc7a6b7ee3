import { SyntaxKind } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { memberAt } from './declared-members.mjs';

/** @typedef {import('typescript/unstable/ast').Node} Node */
/** @typedef {import('typescript/unstable/ast').Expression} Expression */
/** @typedef {import('typescript/unstable/ast').ObjectBindingPattern} ObjectBindingPattern */
/** @typedef {import('typescript/unstable/sync').Symbol} Symbol */
/** @typedef {import('typescript/unstable/sync').Type} Type */
/** @typedef {import('./declared-members.mjs').Member} Member */

/**
 * @typedef {object} Looks what one file does with members
 * @property {Member[]} members that it declares
 * @property {Node[]} named `a.name`, `a['name']`: the name
 * @property {ObjectBindingPattern[]} taken patterns such as `{ name, other: mine }`
 * @property {Node[]} whole `a[which]` and the rest of a pattern: every member may be meant
 * @property {Node[]} spread what stands after three dots: its members go on under the same names
 * @property {{ callee: Node, args: Node[] }[]} calls
 */

/**
 * @param {import('typescript/unstable/ast').SourceFile} source
 * @param {string} file
 * @returns {Looks}
 */
const lookInto = (source, file) => {
  /** @type {Looks} */
  const looks = { members: [], named: [], taken: [], whole: [], spread: [], calls: [] };
  /** @param {Node} node */
  const visit = (node) => {
    if (is.isPropertyAccessExpression(node)) {
      if (!isWritten(node)) looks.named.push(node.name);
    } else if (is.isElementAccessExpression(node)) {
      if (is.isStringLiteral(node.argumentExpression)) looks.named.push(node.argumentExpression);
      else looks.whole.push(node.expression);
    } else if (is.isObjectBindingPattern(node)) {
      looks.taken.push(node);
      for (const { dotDotDotToken, name } of node.elements)
        if (dotDotDotToken !== undefined && name !== undefined) looks.whole.push(name);
    } else if (is.isSpreadAssignment(node) || is.isJsxSpreadAttribute(node)) {
      looks.spread.push(node.expression);
    } else if (is.isCallExpression(node) || is.isNewExpression(node)) {
      const { expression } = node;
      const args = node.arguments;
      const callee = is.isPropertyAccessExpression(expression) ? expression.name : expression;
      if (args !== undefined && args.length > 0) looks.calls.push({ callee, args: [...args] });
    } else {
      const member = memberAt(node, file, source.text);
      if (member !== undefined) looks.members.push(member);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return looks;
};

/**
 * `a.name = 1` reads nothing.
 * @param {Expression} node
 */
const isWritten = (node) =>
  is.isBinaryExpression(node.parent) &&
  node.parent.left === node &&
  node.parent.operatorToken.kind === SyntaxKind.EqualsToken;

/**
 * Where a symbol is declared, which tells it from every other.
 * @param {Symbol | undefined} symbol several places of a member of a union
 * @returns {string[]}
 */
export const placesOf = (symbol) =>
  (symbol?.declarations ?? []).map(({ path, index }) => `${path}#${index}`);

/** Calls that take a value out of the program whole, as text or to another thread. */
const outwards = new Set(['stringify', 'postMessage', 'structuredClone']);

/**
 * @param {Symbol | undefined} callee
 * @returns {boolean} whether a package or the engine gets what is handed in; lists and maps only hold it
 */
const leadsOut = (callee) => {
  if (callee === undefined) return false;
  const places = callee.declarations.map(({ path }) => path);
  return (
    outwards.has(callee.name) ||
    (places.length > 0 &&
      places.every((path) => path.includes('/node_modules/') && !/\/lib\.es[^/]*$/.test(path)))
  );
};

/**
 * @param {import('./open-product.mjs').Product} product
 * @returns what the product declares, and the places of what it reads
 */
export const readMembers = ({ checker, sources, inTree }) => {
  /** @type {(Member & { symbol: Symbol })[]} */
  const members = [];
  /** @type {Set<string>} */
  const read = new Set();
  /** @type {Set<string>} */
  const passedOn = new Set();

  /**
   * @param {Type | undefined} type
   * @param {Set<string>} into
   * @param {Set<number>} seen what is in there already
   */
  const addAll = (type, into, seen) => {
    if (type === undefined || seen.has(type.id)) return;
    seen.add(type.id);
    if (type.isUnionType()) {
      // Of a union, the compiler names only what all of its types have.
      for (const part of type.getTypes()) addAll(part, into, seen);
      return;
    }
    if (checker.isArrayLikeType(type)) return;
    for (const symbol of checker.getPropertiesOfType(type))
      for (const place of placesOf(symbol)) into.add(place);
  };

  /** @type {Set<number>} */
  const readWhole = new Set();
  /** @type {Set<number>} */
  const passedWhole = new Set();
  /** @type {Set<number>} */
  const ledOut = new Set();

  /** @param {Type | undefined} type with what is inside of it */
  const addDeep = (type) => {
    if (type === undefined || ledOut.has(type.id)) return;
    ledOut.add(type.id);
    if (type.isUnionType() || type.isIntersectionType()) {
      for (const part of type.getTypes()) addDeep(part);
    } else if (checker.isArrayLikeType(type)) {
      if (type.isTypeReference()) for (const part of checker.getTypeArguments(type)) addDeep(part);
    } else if (type.isObjectType()) {
      const own = checker
        .getPropertiesOfType(type)
        .filter(({ declarations }) =>
          declarations.some(({ path }) => !path.includes('node_modules')),
        );
      for (const symbol of own) for (const place of placesOf(symbol)) read.add(place);
      if (own.length > 0) for (const part of checker.getTypeOfSymbol(own)) addDeep(part);
    }
  };

  for (const source of sources) {
    const looks = lookInto(source, inTree(source.fileName));
    const { named, taken, whole, spread, calls } = looks;
    const names = [...named, ...calls.map(({ callee }) => callee)];
    // All questions of a file at once: what takes time is the way there and back.
    const asked = [...names, ...looks.members.map(({ name }) => name)];
    const symbols = asked.length > 0 ? checker.getSymbolAtLocation(asked) : [];
    const parts = [...taken, ...whole, ...spread];
    const types = parts.length > 0 ? checker.getTypeAtLocation(parts) : [];

    for (const symbol of symbols.slice(0, named.length))
      for (const place of placesOf(symbol)) read.add(place);
    for (const [index, pattern] of taken.entries()) {
      const type = types[index];
      for (const { dotDotDotToken, propertyName, name } of pattern.elements) {
        const key = propertyName ?? name;
        if (type === undefined || dotDotDotToken !== undefined || key === undefined) continue;
        if (is.isIdentifier(key) || is.isStringLiteral(key))
          for (const place of placesOf(checker.getPropertyOfType(type, key.text))) read.add(place);
      }
    }
    for (const type of types.slice(taken.length, taken.length + whole.length))
      addAll(type, read, readWhole);
    for (const type of types.slice(taken.length + whole.length))
      addAll(type, passedOn, passedWhole);
    for (const [index, { args }] of calls.entries())
      if (leadsOut(symbols[named.length + index]))
        for (const type of checker.getTypeAtLocation(args)) addDeep(type);
    for (const [index, member] of looks.members.entries()) {
      const symbol = symbols[names.length + index];
      if (symbol !== undefined) members.push({ ...member, symbol });
    }
  }
  return { members, read, passedOn };
};
