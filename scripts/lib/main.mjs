import { withFullStop, say } from './say.mjs';
import { Stop } from './stop.mjs';

/**
 * @param {unknown} error
 * @returns {string | null} a sentence for a missing write permission or a full disk
 */
const fileSentence = (error) => {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return null;
  if (error.code === 'ENOSPC') return 'The disk is full: make room and start Parley again.';
  if (!['EACCES', 'EPERM', 'EROFS'].includes(String(error.code))) return null;
  return `${String(error.path)} may not be written: start Parley as the user who owns this folder.`;
};

/**
 * Runs a script's entry point. A {@link Stop} sets its exit code and prints its sentence. Any other error is a bug; it
 * prints one line, and the stack only with PARLEY_DEBUG=1.
 * @param {() => Promise<void>} body
 * @returns {Promise<void>}
 */
export const main = async (body) => {
  try {
    await body();
  } catch (error) {
    process.exitCode = error instanceof Stop ? error.code : 1;
    const expected = error instanceof Stop ? error.message : fileSentence(error);
    if (expected !== null) return say(expected);
    const message = error instanceof Error ? error.message : String(error);
    const first = message.split('\n', 1)[0]?.trim() || 'no message';
    say(`Parley's start script failed: ${withFullStop(first)} Set PARLEY_DEBUG=1 to see where.`);
    if (process.env['PARLEY_DEBUG'] === '1' && error instanceof Error) say(error.stack ?? '');
  }
};
