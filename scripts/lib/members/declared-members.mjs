import { SyntaxKind } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';

/** @typedef {import('typescript/unstable/ast').Node} Node */
/** @typedef {import('typescript/unstable/ast').Identifier} Identifier */
/** @typedef {import('typescript/unstable/ast').TypeLiteralNode} TypeLiteralNode */
/** @typedef {import('typescript/unstable/ast').InterfaceDeclaration} InterfaceDeclaration */
/** @typedef {import('typescript/unstable/ast').ClassDeclaration} ClassDeclaration */

/**
 * @typedef {object} Member
 * @property {Identifier} name
 * @property {string | undefined} owner name of the interface, class or type alias that has it; undefined in an inline type
 * @property {InterfaceDeclaration | ClassDeclaration | TypeLiteralNode} holder the type that declares it
 * @property {string} file
 * @property {number} line
 */

/** Syntax that may stand between a member and its owner. */
const transparentKinds = new Set([
  SyntaxKind.TypeLiteral,
  SyntaxKind.UnionType,
  SyntaxKind.IntersectionType,
  SyntaxKind.ParenthesizedType,
  SyntaxKind.ArrayType,
  SyntaxKind.TypeOperator,
  SyntaxKind.PropertySignature,
  SyntaxKind.Constructor,
]);

/** @param {Node} node */
const isMember = (node) =>
  is.isPropertySignatureDeclaration(node) ||
  is.isMethodSignatureDeclaration(node) ||
  is.isMethodDeclaration(node) ||
  is.isPropertyDeclaration(node) ||
  is.isGetAccessorDeclaration(node) ||
  // `constructor(readonly port: number)`
  (is.isParameterDeclaration(node) &&
    is.isConstructorDeclaration(node.parent) &&
    (node.modifiers?.length ?? 0) > 0);

/**
 * @param {Node} node
 * @returns {{ owner: string | undefined, holder: Member['holder'] } | undefined}
 */
const findOwner = (node) => {
  /** @type {Member['holder'] | undefined} */
  let holder;
  /** @type {string | undefined} */
  let owner;
  for (let above = node.parent; above !== undefined; above = above.parent) {
    if (is.isTypeLiteralNode(above)) holder ??= above;
    if (is.isInterfaceDeclaration(above) || is.isClassDeclaration(above)) {
      holder ??= above;
      // A member that we add to the types of a package needs no owner, because the package reads it.
      if (above.parent.kind !== SyntaxKind.ModuleBlock) owner = above.name?.text;
    }
    if (is.isTypeAliasDeclaration(above)) owner = above.name.text;
    if (owner !== undefined || !transparentKinds.has(above.kind)) break;
  }
  return holder === undefined ? undefined : { owner, holder };
};

/**
 * @param {Node} node
 * @param {string} file
 * @param {string} text of the file
 * @returns {Member | undefined}
 */
export const memberAt = (node, file, text) => {
  if (!isMember(node)) return undefined;
  const { name } = /** @type {{ name?: Node }} */ (/** @type {unknown} */ (node));
  if (name === undefined || !is.isIdentifier(name)) return undefined;
  const place = findOwner(node);
  if (place === undefined) return undefined;
  return { ...place, name, file, line: text.slice(0, name.end).split('\n').length };
};
