import { isNotice, unjoinedNames } from './lib/members/contract-names.mjs';
import { openProduct } from './lib/members/open-product.mjs';
import { readOutside } from './lib/members/read-outside.mjs';
import { readMembers } from './lib/members/read-members.mjs';
import { unreadMembers } from './lib/members/unread-members.mjs';

// A gate: what a type or a class offers, something that ships reads, and what page and core can say
// to each other, one of them says and the other hears. What only tests read is not connected, however
// well it is tested.

const product = openProduct();
const looked = readMembers(product);
const unread = unreadMembers(product, looked);
product.close();

const names = new Set(
  looked.members.flatMap(({ owner, name }) => [owner, `${owner}.${name.text}`]),
);
const found = [
  ...unread
    .filter((member) => !isNotice(member))
    .filter(
      ({ owner, name }) => !readOutside.has(owner) && !readOutside.has(`${owner}.${name.text}`),
    )
    .map(
      ({ file, line, owner, name }) =>
        `${file}:${line}: nothing that ships reads "${owner}.${name.text}".`,
    ),
  ...unjoinedNames(looked.members.filter(isNotice)),
  ...[...readOutside.keys()]
    .filter((name) => !names.has(name))
    .map((name) => `scripts/lib/members/read-outside.mjs: there is no "${name}" any more.`),
];

for (const line of found) console.log(line);
if (found.length > 0) console.log('Connect what people want, and delete the rest with its tests.');
process.exitCode = found.length > 0 ? 1 : 0;
