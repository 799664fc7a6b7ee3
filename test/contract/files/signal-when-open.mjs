// Loaded before a browser host: sends it a signal when it prints that it is open.
const write = process.stdout.write.bind(process.stdout);

process.stdout.write = (/** @type {Parameters<typeof write>} */ ...args) => {
  if (String(args[0]).includes('open in the browser')) process.kill(process.pid, 'SIGTERM');
  return write(...args);
};
// A timer keeps the process alive, as a resource does that was not closed.
if (process.env['PARLEY_TEST_HELD'] === '1') setInterval(() => undefined, 1000);
