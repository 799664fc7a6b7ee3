import { createHash, createPrivateKey, sign } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** electron-builder's names of the feeds, and the packages in each. */
export const feedKinds = [
  { feed: 'latest-linux.yml', files: /-linux-\w+\.(tar\.gz|AppImage)$/ },
  { feed: 'latest-mac.yml', files: /-mac-\w+\.dmg$/ },
  { feed: 'latest.yml', files: /-win-\w+\.exe$/ },
];

/**
 * @typedef {object} Release
 * @property {string} folder with the packages
 * @property {string} version
 * @property {RegExp} files names of the feed's packages
 * @property {Readonly<Record<string, string>>} notes by language
 * @property {number} share percentage of installations that get the release
 * @property {Date} issued
 * @property {number} days for which the feed is valid
 */

/**
 * Writes the feed as JSON, which is valid YAML, so that Parley needs no YAML parser.
 * @param {Release} release
 * @returns {Promise<string | undefined>} undefined if the folder has no package for this feed
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
 * @param {string} key PKCS 8, in base64
 * @returns {string} the signature, in base64
 */
export const signFeed = (text, key) => {
  const secret = createPrivateKey({
    key: Buffer.from(key, 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  if (secret.asymmetricKeyType !== 'ed25519') throw new Error('the key is not an Ed25519 key');
  return `${sign(null, Buffer.from(text), secret).toString('base64')}\n`;
};

/** @param {string} path */
const sha512 = async (path) => {
  const hash = createHash('sha512');
  for await (const piece of createReadStream(path)) hash.update(/** @type {Buffer} */ (piece));
  return hash.digest('base64');
};
