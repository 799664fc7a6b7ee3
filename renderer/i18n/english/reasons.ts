import { englishWhyBasics } from './why.ts';
import { englishWhyChat } from './why-chat.ts';
import { englishWhyServers } from './why-servers.ts';

/** What the core tells by a code, in the page's words. */
export const englishReasons = {
  said: 'The server says: {{said}}',
  andThen: '{{first}} {{next}}',
  /** Endings by their reason. */
  endings: {
    timeout: 'The session reached its time limit. Start a new one to go on.',
    context_full: 'The model’s memory for this session is full. Start a new one to go on.',
    backend_error:
      'The model behind the server failed. Start again; if it happens again, tell whoever runs the server.',
    server_shutdown: 'The server is going away. Try again in a few minutes.',
    error: 'The server ended the session after an error it could not recover from. Start again.',
    user_stop:
      'The server ended the session as if you had asked for it. Start again if you did not.',
    stopped: 'The server ended the session as if you had asked for it. Start again if you did not.',
    client_closed:
      'The server ended the session as if you had asked for it. Start again if you did not.',
    queue_full: 'The server’s queue is full. Try again in a few minutes.',
    worker_busy: 'All of the server’s workers are busy. Try again in a moment.',
    service_unavailable: 'The server is not ready yet. Try again in a minute.',
    worker_connect_failed: 'The server could not reach one of its workers. Try again in a moment.',
    session_failed:
      'The server could not start or hold the session. Try again; if it happens again, tell whoever runs the server.',
    connection_lost: 'The connection was cut. Check the network and start again.',
    closed: 'The server closed the connection without saying why. Start again.',
    server_error: 'The server failed. Start again.',
    unreadable:
      'The server could not read what Parley sent. This is an error in Parley or in the server; please report it.',
    policy: 'The server does not allow this. Check the access token of this server.',
    too_large: 'A message was too large for the server. Send smaller pictures or shorter chunks.',
    silent:
      'The server took the connection but said nothing. Check that the address leads to a realtime server.',
    not_created: 'The server let Parley in but began no session. Try again in a minute.',
    settings: 'The server did not accept the session’s settings. Check prompt, voice and dialect.',
    stalled: 'The server stopped answering. Start again.',
    unreachable: 'The server could not be reached. Check the address and the network.',
    no_chat_in_legacy:
      'The legacy dialect has no chat. Choose the unified dialect, or let Parley find out.',
  },
  otherEnding:
    'The session ended ({{reason}}). Start again; if it happens again, tell whoever runs the server.',
  /** Connections that were refused, by the kind of their status. */
  refused: {
    unknown:
      'The server wants to know who you are ({{status}}). Check the access token of this server.',
    forbidden:
      'The server does not let you in ({{status}}). Check the access token, and that it offers this mode.',
    missing: 'There is no realtime server at this address ({{status}}). Check the address.',
    often:
      'The server has had too many requests from you ({{status}}). Wait a minute and try again.',
    failing: 'The server cannot take connections now ({{status}}). Try again in a minute.',
    other: 'The server refused the connection ({{status}}). Check the address of this server.',
  },
  why: { ...englishWhyBasics, ...englishWhyServers, ...englishWhyChat },
  troubles: {
    malformed: 'The server sent something that Parley cannot read; the talk goes on.',
    server: 'The server reports a mistake; the talk goes on.',
  },
} as const;
