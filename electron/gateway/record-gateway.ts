import type { Clock } from '../ports/clock.ts';
import type { ClientSocket, Gateway, SessionLog } from './gateway.ts';

/** The same gateway, with every frame of every connection written down, as gateways in use do it. */
export function recordGateway(
  gateway: Gateway,
  clock: Clock,
  openLog: (session: number) => SessionLog,
): Gateway {
  return {
    ...gateway,
    connect: (mode, line, session) => {
      const began = clock.now();
      const log = openLog(session);
      const note = (what: object): void => {
        log.write(JSON.stringify({ at: Math.round(clock.now() - began), ...what }));
      };
      note({ event: 'connected', mode });
      const handler = gateway.connect(mode, recordedLine(line, note), session);
      return {
        receive: (text) => {
          note(text === undefined ? { from: 'client', binary: true } : { from: 'client', text });
          handler.receive(text);
        },
        disconnected: () => {
          note({ event: 'disconnected' });
          log.end();
          handler.disconnected();
        },
      };
    },
  };
}

function recordedLine(line: ClientSocket, note: (what: object) => void): ClientSocket {
  return {
    ...line,
    send: (text) => {
      note({ from: 'gateway', text });
      line.send(text);
    },
    sendBinary: (bytes) => {
      note({ from: 'gateway', binary: true });
      line.sendBinary(bytes);
    },
    close: (code, reason) => {
      note({ event: 'closing', code, reason });
      line.close(code, reason);
    },
    terminate: () => {
      note({ event: 'cut' });
      line.terminate();
    },
  };
}
