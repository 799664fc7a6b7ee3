import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export interface UpdateSettings {
  /** A folder on a server; everything about updates is asked for in it. */
  readonly feed: URL;
  /** Of the only one who is believed. */
  readonly key: KeyObject;
}

const settingsRule = z.object({ feed: z.string(), key: z.string() });

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * What the build has put into the package (`scripts/package/update-settings.mjs`); none where it was given no feed. One that
 * cannot be believed is none, and says so.
 */
export function readUpdateSettings(
  resources: string,
  complain: (why: string) => void,
): UpdateSettings | undefined {
  const path = join(resources, 'update-feed.json');
  if (!existsSync(path)) return undefined;
  try {
    const { feed, key } = settingsRule.parse(JSON.parse(readFileSync(path, 'utf8')));
    const url = new URL(feed);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.has(url.hostname)))
      throw new Error('its address is not https');
    if (!url.pathname.endsWith('/') || url.search !== '' || url.username !== '')
      throw new Error('its address is not that of a folder');
    const der = Buffer.from(key, 'base64');
    const signer = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (signer.asymmetricKeyType !== 'ed25519') throw new Error('its key is not one of Ed25519');
    return { feed: url, key: signer };
  } catch (error) {
    complain(`no updates, because of ${path}: ${error instanceof Error ? error.message : ''}`);
    return undefined;
  }
}
