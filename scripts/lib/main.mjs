import { ended, say } from './say.mjs';
import { Stop } from './stop.mjs';

/**
 * @param {unknown} error
 * @returns {string | null} the sentence for a folder that is not ours or a disk that is full
 */
const fileSentence = (error) => {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return null;
  if (error.code === 'ENOSPC') return 'The disk is full: make room and start Parley again.';
  if (!['EACCES', 'EPERM', 'EROFS'].includes(String(error.code))) return null;
  return `${String(error.path)} may not be written: start Parley as the user who owns this folder.`;
};

/**
 * Runs an entry. A {@link Stop} becomes its sentence and exit code; anything else is a mistake of
 * ours, said in one line too, with the stack only for those who ask for it.
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
    say(`Parley's start script failed: ${ended(first)} Set PARLEY_DEBUG=1 to see where.`);
    if (process.env['PARLEY_DEBUG'] === '1' && error instanceof Error) say(error.stack ?? '');
  }
};
