import { openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { planFaults } from './faults.ts';
import type { Gateway, GatewayNeeds, GatewayOptions } from './gateway.ts';
import { openLobby } from './lobby.ts';
import { mayEnter, modeOf } from './modes.ts';
import { openVisit } from './visit.ts';

/** A whole gateway in pure code; with the same clock, dice and clients it does the same twice. */
export function openGateway(options: GatewayOptions, needs: GatewayNeeds): Gateway {
  const lobby = openLobby(options, needs.clock);
  const connections = new Set<Connection>();
  let attempts = 0;

  return {
    admit: (mode) => {
      attempts += 1;
      const refused = planFaults(options.faults, attempts).find('refuse');
      if (refused !== undefined) {
        return { accepted: false, status: refused.status, body: refused.body };
      }
      return mayEnter(mode, options)
        ? { accepted: true, session: attempts }
        : { accepted: false, status: 403, body: 'Forbidden' };
    },
    connect: (mode, line, session) => {
      const known = modeOf(mode, options.dialect);
      const visit = openVisit({ options, needs }, session, known, line);
      const connection = openConnection(visit, () => {
        connections.delete(connection);
        lobby.leave(connection.guest);
      });
      connections.add(connection);
      lobby.join(connection.guest);
      return { receive: connection.receive, left: connection.left };
    },
    end: () => {
      // The lobby first: whoever waits is not to be let in by those who go.
      lobby.end();
      for (const connection of connections) connection.shutDown();
    },
  };
}
