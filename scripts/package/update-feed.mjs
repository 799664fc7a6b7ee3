import { createHash, createPrivateKey, sign } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** As electron-builder calls the feeds of its systems, and which packages each is about. */
export const feedKinds = [
  { feed: 'latest-linux.yml', files: /-linux-\w+\.(tar\.gz|AppImage)$/ },
  { feed: 'latest-mac.yml', files: /-mac-\w+\.dmg$/ },
  { feed: 'latest.yml', files: /-win-\w+\.exe$/ },
];

/**
 * @typedef {object} Release
 * @property {string} folder with the packages
 * @property {string} version
 * @property {RegExp} files
 * @property {Readonly<Record<string, string>>} notes by language
 * @property {number} share of a hundred
 * @property {Date} issued
 * @property {number} days for which it is to be believed
 */

/**
 * What a feed says, in JSON: that is YAML, too, and Parley needs no reader of YAML for it.
 * @param {Release} release
 * @returns {Promise<string | undefined>} nothing where there is no package of that kind
 */
export const makeFeed = async ({ folder, version, files, notes, share, issued, days }) => {
  const names = readdirSync(folder)
    .filter((name) => files.test(name) && name.includes(`-${version}-`))
    .toSorted();
  if (names.length === 0) return undefined;
  const listed = await Promise.all(
    names.map(async (name) => ({
      url: name,
      sha512: await sha512(join(folder, name)),
      size: statSync(join(folder, name)).size,
    })),
  );
  const feed = {
    version,
    releaseDate: issued.toISOString(),
    validUntil: new Date(issued.getTime() + days * 86_400_000).toISOString(),
    stagingPercentage: share,
    releaseNotes: notes,
    files: listed,
  };
  return `${JSON.stringify(feed, null, 2)}\n`;
};

/**
 * @param {string} text
 * @param {string} key base64 of PKCS 8
 * @returns {string} base64
 */
export const signFeed = (text, key) => {
  const secret = createPrivateKey({
    key: Buffer.from(key, 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  if (secret.asymmetricKeyType !== 'ed25519') throw new Error('it is no key of Ed25519');
  return `${sign(null, Buffer.from(text), secret).toString('base64')}\n`;
};

/** @param {string} path */
const sha512 = async (path) => {
  const hash = createHash('sha512');
  for await (const piece of createReadStream(path)) hash.update(/** @type {Buffer} */ (piece));
  return hash.digest('base64');
};
