/** The two dialects of the wire. */
export type DialectName = 'unified' | 'legacy';

/** What a connection is opened for; it stands in the address as `?mode=`. */
export const modes = ['chat', 'audio', 'video'] as const;
export type Mode = (typeof modes)[number];

export type DuplexMode = Exclude<Mode, 'chat'>;

/**
 * What a connection to the older generation's own path for written conversations is opened for. No server knows
 * it as a mode; the adapter makes the path of it.
 */
export const olderChatMode = 'older-chat';

/** Where that is, beside the path of the realtime API. */
export const olderChatPath = '/ws/chat';
