import { isNotice, findUnconnectedNames } from './lib/members/contract-names.mjs';
import { openProduct, readMembers } from './lib/members/read-members.mjs';
import { findUnreadMembers } from './lib/members/unread-members.mjs';

// A gate: shipped code reads every member of its types and classes, and every request and notice has both a sender and
// a receiver. Reads in tests do not count.

/**
 * Members whose reader this gate cannot see, and where that reader is. `Owner` stands for all its members,
 * `Owner.member` for one. Do not list a member that only tests read: connect or delete it.
 * @type {ReadonlyMap<string, string>}
 */
const readOutside = new Map([
  ['StreamPlan', 'the native streams, in C++'],
  [
    'RequestDefinition.value',
    'the compiler: the field is never set, and only gives the type of a reply',
  ],
  [
    'NativeStream.nativeStream',
    'the compiler: it distinguishes a stream handle from other objects',
  ],
  ['MediaReference', 'the JSON of tapes, which any program may have written'],
  ['PresetText.title', 'the page, with the computed key `presets.${id}.title`'],
  ['PresetText.summary', 'the page, likewise'],
]);

const product = openProduct();
const declaredAndRead = readMembers(product);
const unread = findUnreadMembers(product, declaredAndRead);
product.close();

const names = new Set(
  declaredAndRead.members.flatMap(({ owner, name }) => [owner, `${owner}.${name.text}`]),
);
const found = [
  ...unread
    .filter((member) => !isNotice(member))
    .filter(
      ({ owner, name }) => !readOutside.has(owner) && !readOutside.has(`${owner}.${name.text}`),
    )
    .map(
      ({ file, line, owner, name }) =>
        `${file}:${line}: no shipped code reads "${owner}.${name.text}".`,
    ),
  ...findUnconnectedNames(declaredAndRead.members.filter(isNotice)),
  ...[...readOutside.keys()]
    .filter((name) => !names.has(name))
    .map((name) => `scripts/unused-members.mjs: "${name}" no longer exists.`),
];

for (const line of found) console.log(line);
if (found.length > 0) console.log('Connect what users need, and delete the rest with its tests.');
process.exitCode = found.length > 0 ? 1 : 0;
