import { createHash, createPrivateKey, sign, createPublicKey } from 'node:crypto';
import { createReadStream, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from '../lib/stop.mjs';

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

/**
 * Writes the update feed's address and public key into a package, from PARLEY_UPDATE_FEED (the URL of a folder) and
 * PARLEY_UPDATE_KEY (printed by `scripts/sign-feed.mjs key`). Without a feed, the package does not check for updates.
 * @param {string} resources
 * @param {NodeJS.ProcessEnv} [env]
 */
export const writeUpdateSettings = (resources, env = process.env) => {
  const { PARLEY_UPDATE_FEED: feed = '', PARLEY_UPDATE_KEY: key = '' } = env;
  if (feed === '') return;
  const problem = findProblem(feed, key);
  if (problem !== undefined) throw new Stop(problem);
  writeFileSync(join(resources, 'update-feed.json'), `${JSON.stringify({ feed, key })}\n`);
};

/** @param {string} feed @param {string} key */
const findProblem = (feed, key) => {
  const url = URL.canParse(feed) ? new URL(feed) : undefined;
  const loopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url?.hostname ?? '');
  if (url === undefined || !(url.protocol === 'https:' || (url.protocol === 'http:' && loopback)))
    return 'PARLEY_UPDATE_FEED must be an address that begins with https://.';
  if (!url.pathname.endsWith('/') || url.search !== '' || url.username !== '')
    return 'PARLEY_UPDATE_FEED must be the address of a folder: end it with a slash, and leave out user names and queries.';
  try {
    const der = Buffer.from(key, 'base64');
    if (createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyType === 'ed25519')
      return undefined;
  } catch {
    // Reported below.
  }
  return 'PARLEY_UPDATE_KEY must be the public key that “node scripts/sign-feed.mjs key FILE” prints.';
};
