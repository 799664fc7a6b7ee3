// Loaded before a browser host: sends it a signal when it prints that it is open.
const write = process.stdout.write.bind(process.stdout);

process.stdout.write = (/** @type {Parameters<typeof write>} */ ...said) => {
  if (String(said[0]).includes('open in the browser')) process.kill(process.pid, 'SIGTERM');
  return write(...said);
};
// A resource that nobody closes.
if (process.env['PARLEY_TEST_HELD'] === '1') setInterval(() => undefined, 1000);
