import { app, session } from 'electron';

/** Nobody hears there, and what goes there leaves no machine. */
const nowhere = '127.0.0.1:1';

/**
 * Whatever a page would send goes nowhere, to this machine too, and no name is looked up for it: a name
 * could carry a secret out by itself. Parley's own page comes from `page-protocol.ts`, which asks no
 * network, and the core's sockets are Node's.
 */
export async function sendNothingAnywhere(): Promise<void> {
  app.configureHostResolver({
    enableBuiltInResolver: true,
    enableAdditionalDnsQueryTypes: false,
    secureDnsMode: 'secure',
    secureDnsServers: [`https://${nowhere}/`],
  });
  await session.defaultSession.setProxy({
    mode: 'fixed_servers',
    proxyRules: `http://${nowhere}`,
    proxyBypassRules: '<-loopback>',
  });
}
