/** Counters for tests, at `/stand-in`, a route that the real server does not have. */
export interface StandInReport {
  readonly prompt: string | undefined;
  /** Whether a duplex prompt has the tokens that complete the server's own prefix. */
  readonly isPromptComplete: boolean;
  readonly loads: number;
  /** How long ago the last load ended. */
  readonly sinceLoadMs: number;
  readonly sessions: number;
  readonly appends: number;
  readonly framesOffered: number;
  readonly framesUsed: number;
  readonly forcedListens: number;
  readonly maxWaiting: number;
  /** Turns of a talk in which the model spoke. */
  readonly turnsSpoken: number;
  readonly turnsAsked: number;
  readonly textSent: string;
  readonly samplesSent: number;
  readonly contextSlid: boolean;
  readonly tokens: number;
}
