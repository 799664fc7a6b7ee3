/** Where the browser host takes its page's WebSocket. */
export const connectionPath = '/connection';

/**
 * The WebSocket subprotocol of that connection. The token is offered as a second one: unlike an
 * address, what is offered shows up in no console, no history and no log.
 */
export const connectionProtocol = 'parley';
