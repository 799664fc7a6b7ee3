import { createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from '../lib/stop.mjs';

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
