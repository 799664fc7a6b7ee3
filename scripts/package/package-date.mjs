import { run } from '../lib/run.mjs';

/** @returns {Promise<Date>} SOURCE_DATE_EPOCH or the last commit's time, so that builds are reproducible */
export const packageDate = async () => {
  const epoch = process.env['SOURCE_DATE_EPOCH'] ?? '';
  if (/^\d+$/.test(epoch)) return new Date(Number(epoch) * 1000);
  const { code, output } = await run('git', ['log', '-1', '--format=%ct']);
  return code === 0 && /^\d+\s*$/.test(output) ? new Date(Number(output) * 1000) : new Date();
};
