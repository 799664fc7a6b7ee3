import { session } from 'electron';
import { readPacAnswer } from '../../../shared/proxy/pac-answer.ts';
import type { AskSystemProxy } from '../../ports/proxies.ts';

/** Nobody's page is in it, and nothing of it is kept. */
const partition = 'proxy';

/**
 * The system's own settings, and a script that these may name. They are asked in a session of their own: that of the
 * pages has a proxy that leads nowhere. Where they cannot be read there is no proxy, as for a browser.
 */
export const askSystemProxy: AskSystemProxy = async (url) => {
  try {
    const asked = session.fromPartition(partition, { cache: false });
    await asked.setProxy({ mode: 'system' });
    return readPacAnswer(await asked.resolveProxy(url));
  } catch {
    return ['direct'];
  }
};
