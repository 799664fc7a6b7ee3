import { run } from '../lib/run.mjs';

/** @returns {Promise<Date>} what a package is dated by: the same sources are the same package, whenever it is made */
export const packageDate = async () => {
  const given = process.env['SOURCE_DATE_EPOCH'] ?? '';
  if (/^\d+$/.test(given)) return new Date(Number(given) * 1000);
  const { code, output } = await run('git', ['log', '-1', '--format=%ct']);
  return code === 0 && /^\d+\s*$/.test(output) ? new Date(Number(output) * 1000) : new Date();
};
