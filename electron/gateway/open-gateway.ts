import { openGatewayConnection } from './gateway-connection.ts';
import type { GatewayConnection } from './gateway-connection.ts';
import { planFaults } from './fault-plan.ts';
import type { Gateway, GatewayDeps, GatewayOptions } from './gateway.ts';
import { SentenceRecogniser } from './sentence-recogniser.ts';
import { openWorkerPool } from './worker-pool.ts';
import { acceptsMode, connectionMode } from './connection-mode.ts';
import { openConnectionContext } from './connection-context.ts';

/** A whole gateway in pure code; with the same clock, dice and clients it does the same twice. */
export function openGateway(options: GatewayOptions, given: GatewayDeps): Gateway {
  const deps = { ...given, recogniser: new SentenceRecogniser(given.speech) };
  const workerPool = openWorkerPool(options, deps.clock);
  const connections = new Set<GatewayConnection>();
  let attempts = 0;

  return {
    admit: (mode) => {
      attempts += 1;
      const refused = planFaults(options.faults, attempts).find('refuse');
      if (refused !== undefined) {
        return { accepted: false, status: refused.status, body: refused.body };
      }
      return acceptsMode(mode, options)
        ? { accepted: true, session: attempts }
        : { accepted: false, status: 403, body: 'Forbidden' };
    },
    connect: (mode, line, session) => {
      const known = connectionMode(mode, options);
      const connectionContext = openConnectionContext({ options, deps }, session, known, line);
      const connection = openGatewayConnection(connectionContext, (how) => {
        connections.delete(connection);
        workerPool.release(connection.request, how);
      });
      connections.add(connection);
      workerPool.acquire(connection.request);
      return { receive: connection.receive, disconnected: connection.disconnected };
    },
    status: workerPool.status,
    end: () => {
      // The worker pool first: whoever waits is not to be let in by those who go.
      workerPool.end();
      for (const connection of connections) connection.shutDown();
    },
  };
}
