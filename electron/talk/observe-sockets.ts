import type { SocketEnd, SocketListener, Sockets } from '../../shared/ports/sockets.ts';
import { redactSecrets } from '../../shared/settings/endpoint.ts';

/** What passes through sockets, as it is; called before it goes on its way. */
export interface WireObserver {
  /** Asked for everything that passes, so that nothing is spent while nobody watches. */
  readonly enabled: () => boolean;
  readonly opened: (connection: ObservedConnection) => void;
  readonly sent: (connection: ObservedConnection, text: string) => void;
  /** A binary frame has no text. */
  readonly received: (connection: ObservedConnection, text: string | undefined) => void;
  readonly ended: (connection: ObservedConnection, end: SocketEnd) => void;
}

export interface ObservedConnection {
  readonly number: number;
  readonly mode: string;
  /** What must be seen by nobody. */
  readonly secrets: readonly string[];
}

/** The same sockets, with an observer of everything that passes through them. */
export function observeSockets(
  sockets: Sockets,
  observer: WireObserver,
  secrets: readonly string[],
  nextNumber: () => number,
): Sockets {
  return {
    connect: (mode, listener) => {
      const connection = { number: nextNumber(), mode, secrets };
      return sockets.connect(mode, observedListener(listener, observer, connection));
    },
  };
}

function observedListener(
  listener: SocketListener,
  observer: WireObserver,
  connection: ObservedConnection,
): SocketListener {
  return {
    opened: () => {
      if (observer.enabled()) observer.opened(connection);
      listener.opened();
    },
    sending: (text) => {
      if (observer.enabled()) observer.sent(connection, text);
      listener.sending?.(text);
    },
    received: (text) => {
      if (observer.enabled()) observer.received(connection, text);
      listener.received(text);
    },
    ended: (end) => {
      if (observer.enabled()) observer.ended(connection, end);
      listener.ended(end);
    },
  };
}

/** Longer runs are no words of any language, but sound and pictures as base64. */
const media = /[\w+/=\\-]{160,}/gu;
const maxShown = 8000;

/**
 * A frame as it may be looked at: secrets veiled, media by their length, and not more of the rest than
 * anybody reads.
 */
export function redactWireFrame(text: string, secrets: readonly string[]): string {
  // Secrets first: a run of base64 that is cut out around one would leave the rest of it.
  const veiled = secrets.length === 0 ? text : redactSecrets(text, inEveryEncoding(secrets));
  const plain = veiled.replaceAll(media, (run) => `‹${run.length} characters›`);
  if (plain.length <= maxShown) return plain;
  return `${plain.slice(0, maxShown)}… ‹${plain.length - maxShown} more›`;
}

/** As it is, within JSON, and within an address. */
function inEveryEncoding(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
  ]);
}
