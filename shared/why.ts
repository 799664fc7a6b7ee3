/** Why a sound device is not there. */
export type DeviceWhy =
  'noMicrophone' | 'noSpeaker' | 'missing' | 'silent' | 'taken' | 'broken' | 'noSound' | 'hangs';

/** Why no connection came about. */
export type LineWhy =
  | 'noSuchServer'
  | 'noName'
  | 'nothingListens'
  | 'hungUp'
  | 'noAnswer'
  | 'noWay'
  | 'badAddress'
  | 'notHttp'
  | 'notTls'
  | 'notWebSocket'
  | 'distrusted';

/** Why something cannot be done with a talk now. */
export type TalkWhy =
  'noTalk' | 'starting' | 'startingAlready' | 'goingOn' | 'notEnded' | 'closing' | 'talkHasSound';

/**
 * A reason that a page has words for in its own language. The sentence beside it is what is said where
 * there are none: in the terminal, and in the log.
 */
export type Why = DeviceWhy | LineWhy | TalkWhy;
