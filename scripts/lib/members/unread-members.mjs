import * as is from 'typescript/unstable/ast/is';
import { declarationPlaces } from './read-members.mjs';

/** @typedef {import('./declared-members.mjs').Member} Member */
/** @typedef {import('typescript/unstable/sync').Type} Type */
/** @typedef {Member & { symbol: import('typescript/unstable/sync').Symbol }} MemberWithSymbol */

/**
 * Finds members that the product never reads. A read by name counts, and so does a read on a compatible type, such as
 * the interface of a class.
 * @param {import('./read-members.mjs').Product} product
 * @param {ReturnType<typeof import('./read-members.mjs').readMembers>} declaredAndRead
 * @returns {(Member & { owner: string })[]}
 */
export const findUnreadMembers = ({ checker }, { members, read, passedOn }) => {
  /** @param {MemberWithSymbol} member */
  const isRead = ({ symbol }) => declarationPlaces(symbol).some((place) => read.has(place));
  const alive = groupByName(members.filter(isRead));

  /** @type {Map<Member['holder'], Type | undefined>} */
  const types = new Map();
  /** @param {Member} member */
  const getOwnType = ({ holder }) => {
    if (!types.has(holder)) types.set(holder, declaredType(holder));
    return types.get(holder);
  };
  /** @param {Member['holder']} holder */
  const declaredType = (holder) => {
    if (is.isTypeLiteralNode(holder)) return checker.getTypeFromTypeNode(holder);
    const symbol = holder.name && checker.getSymbolAtLocation(holder.name);
    return symbol && checker.getDeclaredTypeOfSymbol(symbol);
  };

  /** @type {Map<string, boolean>} */
  const known = new Map();
  /**
   * @param {Type} one
   * @param {Type} other
   */
  const fits = (one, other) => {
    const pair = `${one.id} ${other.id}`;
    const answer = known.get(pair) ?? checker.isTypeAssignableTo(one, other);
    known.set(pair, answer);
    return answer;
  };

  /** @param {Member} member whether it is read through an interface or base class that declares it */
  const isReadOnSupertype = ({ holder, name }) =>
    !is.isTypeLiteralNode(holder) &&
    (holder.heritageClauses ?? []).some(({ types: supertypes }) =>
      supertypes.some((supertype) => {
        const type = checker.getTypeAtLocation(supertype);
        const symbol = type && checker.getPropertyOfType(type, name.text);
        return declarationPlaces(symbol).some(
          (place) => read.has(place) || place.includes('/node_modules/'),
        );
      }),
    );

  /** @param {MemberWithSymbol} member */
  const isUnread = (member) => {
    if (isRead(member)) return false;
    const namesakes = alive.get(member.name.text);
    if (namesakes !== undefined) {
      if (declarationPlaces(member.symbol).some((place) => passedOn.has(place))) return false;
      const ownType = getOwnType(member);
      const isReadOnCompatibleType = namesakes.some((other) => {
        const otherType = getOwnType(other);
        return (
          ownType === undefined ||
          otherType === undefined ||
          fits(ownType, otherType) ||
          fits(otherType, ownType)
        );
      });
      if (isReadOnCompatibleType) return false;
    }
    return !isReadOnSupertype(member);
  };

  return members.flatMap((member) =>
    member.owner !== undefined && isUnread(member) ? { ...member, owner: member.owner } : [],
  );
};

/**
 * @template {Member} Each
 * @param {readonly Each[]} members
 */
const groupByName = (members) => {
  /** @type {Map<string, Each[]>} */
  const groups = new Map();
  for (const member of members)
    groups.set(member.name.text, [...(groups.get(member.name.text) ?? []), member]);
  return groups;
};
