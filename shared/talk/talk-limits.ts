/** What is left of a session; a page counts `seconds` down itself. */
export interface TalkLimits {
  readonly seconds: number | undefined;
  readonly tokens: number | undefined;
  /** How long the tokens last at the present rate. */
  readonly tokenSeconds: number | undefined;
  /** The server makes room by itself: the context does not end this session. */
  readonly pruning: boolean;
}

export interface TalkWarning {
  readonly limit: 'time' | 'context';
  readonly threshold: 60 | 15;
  readonly secondsLeft: number;
}
