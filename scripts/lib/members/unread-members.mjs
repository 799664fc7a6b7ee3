import * as is from 'typescript/unstable/ast/is';
import { placesOf } from './read-members.mjs';

/** @typedef {import('./declared-members.mjs').Member} Member */
/** @typedef {import('typescript/unstable/sync').Type} Type */
/** @typedef {Member & { symbol: import('typescript/unstable/sync').Symbol }} Looked */

/**
 * A member is alive that is read by name, or whose name is read on a type that its own stands for: a
 * class where its interface is asked, a value that went on into another type.
 * @param {import('./open-product.mjs').Product} product
 * @param {ReturnType<typeof import('./read-members.mjs').readMembers>} looked
 * @returns {(Member & { owner: string })[]} those that nothing in the product reads
 */
export const unreadMembers = ({ checker }, { members, read, passedOn }) => {
  /** @param {Looked} member */
  const isRead = ({ symbol }) => placesOf(symbol).some((place) => read.has(place));
  const alive = groupByName(members.filter(isRead));

  /** @type {Map<Member['holder'], Type | undefined>} */
  const types = new Map();
  /** @param {Member} member */
  const typeOf = ({ holder }) => {
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

  /** @param {Member} member whether what its class says that it is, is read */
  const isPromised = ({ holder, name }) =>
    !is.isTypeLiteralNode(holder) &&
    (holder.heritageClauses ?? []).some(({ types: promises }) =>
      promises.some((promise) => {
        const type = checker.getTypeAtLocation(promise);
        const symbol = type && checker.getPropertyOfType(type, name.text);
        return placesOf(symbol).some(
          (place) => read.has(place) || place.includes('/node_modules/'),
        );
      }),
    );

  /** @param {Looked} member */
  const isUnread = (member) => {
    if (isRead(member)) return false;
    const readElsewhere = alive.get(member.name.text);
    if (readElsewhere !== undefined) {
      if (placesOf(member.symbol).some((place) => passedOn.has(place))) return false;
      const own = typeOf(member);
      const standsFor = readElsewhere.some((other) => {
        const its = typeOf(other);
        return own === undefined || its === undefined || fits(own, its) || fits(its, own);
      });
      if (standsFor) return false;
    }
    return !isPromised(member);
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
