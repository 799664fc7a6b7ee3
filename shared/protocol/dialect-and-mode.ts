/** The two dialects of the wire. */
export type DialectName = 'unified' | 'legacy';

/** What a connection is opened for; it stands in the address as `?mode=`. */
export const modes = ['chat', 'audio', 'video'] as const;
export type Mode = (typeof modes)[number];

export type DuplexMode = Exclude<Mode, 'chat'>;
