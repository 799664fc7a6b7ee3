import type { PartName, PartState } from '../shared/about.ts';
import type { DialectName } from '../shared/protocol/names.ts';

/** Time as the core sees it: monotonic milliseconds from an origin of the clock's choice. */
export interface Clock {
  readonly now: () => number;
  /** Runs once after the delay, unless the returned function is called before. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

/** Numbers from 0 up to but not including 1: dice in use, a seeded sequence in tests. */
export type Random = () => number;

export type LogLevel = 'info' | 'warn' | 'error';

/** For the person who mends Parley, never for its user, and never with a secret in it. */
export interface Log {
  readonly write: (level: LogLevel, message: string) => void;
}

/** The native libraries. Loading one never rejects: what went wrong is the state's reason. */
export interface NativeParts {
  readonly load: (part: PartName) => Promise<PartState>;
}

/** An expected failure, already said so that a person understands it. */
export interface Failure {
  readonly ok: false;
  readonly problem: string;
}

export type Outcome<Value> = { readonly ok: true; readonly value: Value } | Failure;

/** Connections to a gateway. A connection reports to its listener until `ended`, which comes once. */
export interface Sockets {
  /** Opens a connection for the mode; the endpoint, its token and its trust are the adapter's matter. */
  readonly connect: (mode: string, listener: SocketListener) => Socket;
}

export interface Socket {
  readonly send: (text: string) => void;
  /** Says goodbye as the protocol has it; `ended` follows, but only when the other side agrees. */
  readonly close: (code: number, reason: string) => void;
  /** Cuts the line at once; `ended` follows. */
  readonly terminate: () => void;
}

export interface SocketListener {
  readonly opened: () => void;
  /** A text frame; a binary one arrives as `undefined`. */
  readonly received: (text: string | undefined) => void;
  readonly ended: (end: SocketEnd) => void;
}

export type SocketEnd =
  /** The server refused the upgrade with an HTTP answer. */
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  /** No connection came about; `problem` is a sentence: no such host, certificate not trusted… */
  | { readonly kind: 'unreachable'; readonly problem: string }
  /** It was open and has been closed; 1006 is a line that was cut. */
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string };

/** Pictures as far as the core looks into them. */
export interface Pictures {
  /** Size and main colours, most frequent first, as plain English words. */
  readonly look: (file: Uint8Array) => Promise<Outcome<PictureFacts>>;
  /** Checks a picture a person gave and makes it a JPEG fit to send: upright, no metadata. */
  readonly prepare: (file: Uint8Array, longestSide: number) => Promise<Outcome<Uint8Array>>;
}

export interface PictureFacts {
  readonly width: number;
  readonly height: number;
  readonly colours: readonly string[];
}

/** Files the person names. Problems are sentences with the path in them. */
export interface Files {
  readonly read: (path: string, mostBytes: number) => Promise<Outcome<Uint8Array>>;
  readonly readText: (path: string, mostBytes: number) => Promise<Outcome<string>>;
  /**
   * Makes or empties a file. Writes are queued in order; `close` waits for them. The first thing
   * that goes wrong is also told at once, where somebody wants to know.
   */
  readonly create: (
    path: string,
    onProblem?: (sentence: string) => void,
  ) => Promise<Outcome<FileWriter>>;
  /** Makes the folder where it is missing; refuses one that already holds something. */
  readonly createFolder: (path: string) => Promise<Outcome<undefined>>;
}

export interface FileWriter {
  readonly append: (bytes: Uint8Array | string) => void;
  /** Overwrites what was written before, such as a length in a header. */
  readonly writeAt: (offset: number, bytes: Uint8Array) => void;
  /** The first thing that went wrong since it was opened (a full disk…), or nothing. */
  readonly close: () => Promise<Outcome<undefined>>;
}

/**
 * Which dialect a server spoke last. Servers are known by scheme, host and path; what else stands in
 * an address may be a secret. It is no more than a guess to begin with, so that nothing here fails.
 */
export interface DialectMemory {
  readonly recall: (server: string) => DialectName | undefined;
  readonly remember: (server: string, dialect: DialectName) => void;
  /** Resolves once what was remembered is kept, as far as it can be. */
  readonly settled: () => Promise<void>;
}
