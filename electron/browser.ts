import { runBrowserHost } from './hosts/browser/browser.ts';

process.exitCode = await runBrowserHost(process.argv.slice(2));
