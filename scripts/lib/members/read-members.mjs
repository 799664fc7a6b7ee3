import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { memberAt } from './declared-members.mjs';

/**
 * Opens all shipped code as one TypeScript program. The compiler's API is marked unstable, but its version is pinned, and
 * a version that breaks the API fails this gate.
 * @param {string} [tree]
 */
export const openProduct = (tree = process.cwd()) => {
  const root = realpathSync(tree);
  const config = join(root, 'tsconfig/product.json');
  const compiler = new API({ cwd: root });
  const project = compiler.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) throw new Error(`${config} cannot be opened.`);
  return {
    checker: project.checker,
    sources: project.rootFiles
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => project.program.getSourceFile(file) ?? []),
    /** @param {string} file */
    inTree: (file) => relative(root, file).split(sep).join('/'),
    close: () => compiler.close(),
  };
};

/** @typedef {ReturnType<typeof openProduct>} Product */

/** @typedef {import('typescript/unstable/ast').Node} Node */
/** @typedef {import('typescript/unstable/ast').Expression} Expression */
/** @typedef {import('typescript/unstable/ast').ObjectBindingPattern} ObjectBindingPattern */
/** @typedef {import('typescript/unstable/sync').Symbol} Symbol */
/** @typedef {import('typescript/unstable/sync').Type} Type */
/** @typedef {import('./declared-members.mjs').Member} Member */

/**
 * @typedef {object} MemberUses the uses of members in one file
 * @property {Member[]} members that the file declares
 * @property {Node[]} named the name in `a.name` or `a['name']`
 * @property {ObjectBindingPattern[]} destructured patterns such as `{ name, other: mine }`
 * @property {Node[]} whole `a[key]` and rest patterns, which may read every member
 * @property {Node[]} spread operands of `...`, whose members become members of the new object
 * @property {{ callee: Node, args: Node[] }[]} calls
 */

/**
 * @param {import('typescript/unstable/ast').SourceFile} source
 * @param {string} file
 * @returns {MemberUses}
 */
const findMemberUses = (source, file) => {
  /** @type {MemberUses} */
  const uses = { members: [], named: [], destructured: [], whole: [], spread: [], calls: [] };
  /** @param {Node} node */
  const visit = (node) => {
    if (is.isPropertyAccessExpression(node)) {
      if (!isWritten(node)) uses.named.push(node.name);
    } else if (is.isElementAccessExpression(node)) {
      if (is.isStringLiteral(node.argumentExpression)) uses.named.push(node.argumentExpression);
      else uses.whole.push(node.expression);
    } else if (is.isObjectBindingPattern(node)) {
      uses.destructured.push(node);
      for (const { dotDotDotToken, name } of node.elements)
        if (dotDotDotToken !== undefined && name !== undefined) uses.whole.push(name);
    } else if (is.isSpreadAssignment(node) || is.isJsxSpreadAttribute(node)) {
      uses.spread.push(node.expression);
    } else if (is.isCallExpression(node) || is.isNewExpression(node)) {
      const { expression } = node;
      const args = node.arguments;
      const callee = is.isPropertyAccessExpression(expression) ? expression.name : expression;
      if (args !== undefined && args.length > 0) uses.calls.push({ callee, args: [...args] });
    } else {
      const member = memberAt(node, file, source.text);
      if (member !== undefined) uses.members.push(member);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return uses;
};

/**
 * An assignment such as `a.name = 1` is not a read.
 * @param {Expression} node
 */
const isWritten = (node) =>
  is.isBinaryExpression(node.parent) &&
  node.parent.left === node &&
  node.parent.operatorToken.kind === SyntaxKind.EqualsToken;

/**
 * Lists where a symbol is declared, which identifies it.
 * @param {Symbol | undefined} symbol a member of a union has several places
 * @returns {string[]}
 */
export const declarationPlaces = (symbol) =>
  (symbol?.declarations ?? []).map(({ path, index }) => `${path}#${index}`);

/** Calls that pass a whole value out of the program, as text or to another thread. */
const exportingCalls = new Set(['stringify', 'postMessage', 'structuredClone']);

/**
 * @param {Symbol | undefined} callee
 * @returns {boolean} whether a package or the engine receives the arguments; built-in collections do not count
 */
const passesOut = (callee) => {
  if (callee === undefined) return false;
  const places = callee.declarations.map(({ path }) => path);
  return (
    exportingCalls.has(callee.name) ||
    (places.length > 0 &&
      places.every((path) => path.includes('/node_modules/') && !/\/lib\.es[^/]*$/.test(path)))
  );
};

/**
 * @param {Product} product
 * @returns the members that the product declares, and the declaration places of those that it reads
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
   * @param {Set<number>} seen ids of types that were added before
   */
  const addAll = (type, into, seen) => {
    if (type === undefined || seen.has(type.id)) return;
    seen.add(type.id);
    if (type.isUnionType()) {
      // For a union, the compiler lists only members that all its types share.
      for (const part of type.getTypes()) addAll(part, into, seen);
      return;
    }
    if (checker.isArrayLikeType(type)) return;
    for (const symbol of checker.getPropertiesOfType(type))
      for (const place of declarationPlaces(symbol)) into.add(place);
  };

  /** @type {Set<number>} */
  const readWhole = new Set();
  /** @type {Set<number>} */
  const passedWhole = new Set();
  /** @type {Set<number>} */
  const passedOut = new Set();

  /** Marks the members of a type as read, recursively. @param {Type | undefined} type */
  const addDeep = (type) => {
    if (type === undefined || passedOut.has(type.id)) return;
    passedOut.add(type.id);
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
      for (const symbol of own) for (const place of declarationPlaces(symbol)) read.add(place);
      if (own.length > 0) for (const part of checker.getTypeOfSymbol(own)) addDeep(part);
    }
  };

  for (const source of sources) {
    const uses = findMemberUses(source, inTree(source.fileName));
    const { named, destructured, whole, spread, calls } = uses;
    const names = [...named, ...calls.map(({ callee }) => callee)];
    // One query per file, because round trips to the compiler take most of the time.
    const queried = [...names, ...uses.members.map(({ name }) => name)];
    const symbols = queried.length > 0 ? checker.getSymbolAtLocation(queried) : [];
    const parts = [...destructured, ...whole, ...spread];
    const types = parts.length > 0 ? checker.getTypeAtLocation(parts) : [];

    for (const symbol of symbols.slice(0, named.length))
      for (const place of declarationPlaces(symbol)) read.add(place);
    for (const [index, pattern] of destructured.entries()) {
      const type = types[index];
      for (const { dotDotDotToken, propertyName, name } of pattern.elements) {
        const key = propertyName ?? name;
        if (type === undefined || dotDotDotToken !== undefined || key === undefined) continue;
        if (is.isIdentifier(key) || is.isStringLiteral(key))
          for (const place of declarationPlaces(checker.getPropertyOfType(type, key.text)))
            read.add(place);
      }
    }
    for (const type of types.slice(destructured.length, destructured.length + whole.length))
      addAll(type, read, readWhole);
    for (const type of types.slice(destructured.length + whole.length))
      addAll(type, passedOn, passedWhole);
    for (const [index, { args }] of calls.entries())
      if (passesOut(symbols[named.length + index]))
        for (const type of checker.getTypeAtLocation(args)) addDeep(type);
    for (const [index, member] of uses.members.entries()) {
      const symbol = symbols[names.length + index];
      if (symbol !== undefined) members.push({ ...member, symbol });
    }
  }
  return { members, read, passedOn };
};
