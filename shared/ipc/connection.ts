/** Where the browser host takes its page's WebSocket. */
export const connectionPath = '/connection';

/**
 * The WebSocket subprotocol of that connection. The token is offered as a second one: unlike an
 * address, what is offered shows up in no console, no history and no log.
 */
export const connectionProtocol = 'parley';

/** A request or an answer without bytes in it. */
export const maxTextMessageLength = 1024 * 1024;

/** One with bytes, such as a recording of 120 MB; what a single request may carry its own check says. */
export const maxBinaryMessageBytes = 128 * 1024 * 1024;
