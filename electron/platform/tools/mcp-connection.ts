import { ChildProcess } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ErrorCode,
  McpError,
  ToolListChangedNotificationSchema,
  type CallToolResult,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import type {
  JsonSchemaValidatorResult,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js';
import { sanitizeLine, showHidden } from '../../../shared/text.ts';
import {
  appError,
  failure,
  describeError,
  errorCode,
  type AppError,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { isJsonObject } from '../../../shared/protocol/json.ts';
import { endpointSecrets, redactSecrets } from '../../../shared/settings/endpoint.ts';
import { maxServerTools, type ToolServer } from '../../../shared/tools/stored-tools.ts';
import type {
  ConnectServer,
  ListedTool,
  ServerConnection,
} from '../../tools/servers/tool-servers.ts';
import { setTimeout } from 'node:timers/promises';

type ServerValues = Parameters<ConnectServer>[1];

/** Long, because `npx` may download the server first. */
const connectTimeoutMs = 60_000;
const callTimeoutMs = 60_000;
const maxPages = 10;

/** Connects by the Model Context Protocol. Requests of the server, such as for sampling or roots, are refused. */
export const connectMcpServer: ConnectServer = async (server, values, listener) => {
  const { name } = server;
  // A stored address may have an impossible port.
  if (server.place.kind === 'address' && !URL.canParse(server.place.url))
    return failure('toolServerFailed', { name, error: 'Invalid URL' });
  const transport = new GuardedTransport(openTransport(server, values));
  const client = new Client(
    { name: 'Parley', version: '1' },
    // Without this, a validator would compile the server's schemas to code.
    { capabilities: {}, jsonSchemaValidator: acceptAll },
  );
  let isClosing = false;
  const onclose = (): void => {
    if (!isClosing)
      listener.onClosed(transport.fault(name) ?? appError('toolServerEnded', { name }));
  };
  Object.assign(client, { onclose });
  client.setNotificationHandler(ToolListChangedNotificationSchema, listener.onToolsChanged);
  const close = async (): Promise<void> => {
    isClosing = true;
    await transport.close().catch(() => undefined);
  };
  const secrets = secretsOf(server, values);
  const errorOf = (error: unknown): AppError =>
    transport.fault(name) ?? connectionError(name, error, (text) => redactSecrets(text, secrets));
  try {
    await client.connect(transport, { timeout: connectTimeoutMs });
  } catch (error) {
    await close();
    return { ok: false, error: errorOf(error) };
  }
  const guard = async <Value>(run: () => Promise<Value>): Promise<Outcome<Value>> => {
    try {
      return { ok: true, value: await run() };
    } catch (error) {
      const fault = errorOf(error);
      if (transport.hasSession && isSessionUnknown(error) && !isClosing) {
        listener.onClosed(fault);
        void close();
      }
      return { ok: false, error: fault };
    }
  };
  const connection: ServerConnection = {
    listTools: () => guard(() => listAll(client)),
    call: async (tool, args, control) => {
      const stopController = new AbortController();
      control.onStop(() => stopController.abort());
      const options = {
        timeout: callTimeoutMs,
        maxTotalTimeout: callTimeoutMs,
        signal: stopController.signal,
      };
      const request = { name: tool, arguments: { ...args } };
      const called = await guard(async () =>
        toAnswer((await client.callTool(request, CallToolResultSchema, options)) as CallToolResult),
      );
      return stopController.signal.aborted ? failure('toolServerStopped', { name }) : called;
    },
    close,
  };
  return { ok: true, value: connection };
};

const acceptAll: jsonSchemaValidator = {
  getValidator:
    <Value>() =>
    (value: unknown): JsonSchemaValidatorResult<Value> => ({
      valid: true,
      data: value as Value,
      errorMessage: undefined,
    }),
};

/** Opens the transport to a server. A program gets a few common variables, and those that the user configured. */
function openTransport({ place }: Pick<ToolServer, 'place'>, values: ServerValues): Transport {
  if (place.kind === 'address') {
    return new StreamableHTTPClientTransport(new URL(place.url), {
      fetch: createBoundedFetch(),
      requestInit: { headers: values },
    });
  }
  const { command, args, cwd } = place;
  return new StdioClientTransport({
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    env: { ...getDefaultEnvironment(), ...values },
    stderr: 'ignore',
    maxBufferSize: maxMessageBytes,
  });
}

async function listAll(client: Client): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && tools.length < maxServerTools; page += 1) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor }, {
      timeout: callTimeoutMs,
    });
    for (const { name, description = '', inputSchema, annotations } of listed.tools) {
      const schema: unknown = JSON.parse(JSON.stringify(inputSchema));
      // Questions to the user show the name, so names with invisible or reordering characters are left out.
      if (name === '' || showHidden(sanitizeLine(name, 200)) !== name) continue;
      if (!isJsonObject(schema)) continue;
      // By the protocol, a tool without these hints may destroy something, and may reach other systems.
      const { readOnlyHint, destructiveHint, openWorldHint } = annotations ?? {};
      const isHarmless = destructiveHint === false && openWorldHint === false;
      const isSafe = readOnlyHint === true || isHarmless;
      tools.push({ name, description: description.slice(0, 4000), schema, isRisky: !isSafe });
    }
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.slice(0, maxServerTools);
}

/** Converts a result to text for the model. Pictures and sounds are only named. */
function toAnswer({ content, isError, structuredContent }: CallToolResult) {
  const texts = content.map((part) => {
    switch (part.type) {
      case 'text':
        return part.text;
      case 'resource':
        return 'text' in part.resource ? part.resource.text : `[${part.resource.uri}]`;
      case 'resource_link':
        return `[${part.uri}]`;
      case 'image':
      case 'audio':
        return `[${part.type}, ${part.mimeType}]`;
    }
  });
  if (texts.length === 0 && structuredContent !== undefined)
    texts.push(JSON.stringify(structuredContent));
  return { text: texts.join('\n'), isError: isError === true };
}

/** Whether a server at an address does not know the session, as after a restart. By the protocol it says 404; some say 400. */
function isSessionUnknown(error: unknown): boolean {
  return error instanceof StreamableHTTPError && (error.code === 404 || error.code === 400);
}

/** The secrets that a server may repeat in an error: its values, also without a word such as "Bearer", and those of its address. */
function secretsOf({ place }: Pick<ToolServer, 'place'>, values: ServerValues): readonly string[] {
  const parts = Object.values(values).flatMap((value) => [value, value.split(' ').at(-1) ?? '']);
  const headers = Object.fromEntries(parts.entries());
  const url = place.kind === 'address' ? place.url : '';
  return endpointSecrets({ url, headers, query: {}, insecure: false });
}

function connectionError(name: string, error: unknown, redact: (text: string) => string): AppError {
  if (errorCode(error) === 'ENOENT') return appError('toolProgramMissing', { name });
  if (error instanceof McpError) {
    if (error.code === ErrorCode.RequestTimeout.valueOf())
      return appError('toolServerSlow', { name, seconds: callTimeoutMs / 1000 });
    if (error.code === ErrorCode.ConnectionClosed.valueOf())
      return appError('toolServerEnded', { name });
  }
  return appError('toolServerFailed', {
    name,
    error: sanitizeLine(redact(describeError(error)), 300),
  });
}

/** The most bytes of one HTTP answer. A message is limited to fewer, but a stream of events can carry several. */
const maxAnswerBytes = 4 * 1024 * 1024;

/** The least time between two streams of events. The server names the pause after which the library asks again. */
const minStreamGapMs = 1000;

/** Keeps a server that ends its stream of events at once from being asked for it in a tight loop. */
function createBoundedFetch(): typeof boundedFetch {
  let nextStreamAt = 0;
  return async (url, init = {}) => {
    if (init.method === 'GET') {
      const waitMs = Math.max(0, nextStreamAt - performance.now());
      nextStreamAt = performance.now() + waitMs + minStreamGapMs;
      await setTimeout(waitMs, undefined, {
        ref: false,
        ...(init.signal && { signal: init.signal }),
      });
    }
    return boundedFetch(url, init);
  };
}

/** Fetches without redirects, which could send the headers anywhere, and aborts an answer that is too long. */
async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  if (response.body === null) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let bytes = 0;
  /** The bytes since the end of the last event, which is a blank line. */
  let eventBytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      const end = isStream ? endOfEvent(chunk) : -1;
      eventBytes = end === -1 ? eventBytes + chunk.length : chunk.length - end;
      if (bytes > maxAnswerBytes || eventBytes > maxMessageBytes)
        controller.error(new Error('The answer is too long.'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}

function endOfEvent(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  return Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\r\n\r\n'));
}

/** The longest message. Parsing it takes up to 10 ms, for which the other work of a talk waits. */
const maxMessageBytes = 512 * 1024;
/** A server that sends more messages than this between two requests of Parley is broken. Text that is not JSON counts, too. */
const maxMessagesInARow = 1000;
/** Messages at up to this rate are not counted, because an idle server may send pings again and again. */
const uncountedPerSecond = 20;
/** A request of the server counts for this many messages, because Parley answers it. */
const requestWeight = 10;
/** How long to wait until a server has ended its session. */
const sessionEndMs = 500;

/** A transport that ends a server which floods Parley with messages that are too long or too many. */
class GuardedTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #inner: Transport;
  #program: unknown;
  #messagesInARow = 0;
  #countedAt = 0;
  #hasFlooded = false;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  /** The error, if this transport has ended the server. */
  fault(name: string): AppError | undefined {
    return this.#hasFlooded ? appError('toolServerFloods', { name }) : undefined;
  }

  /** Whether the server has named a session, which it can forget. */
  get hasSession(): boolean {
    return this.#inner.sessionId !== undefined;
  }

  async start(): Promise<void> {
    Object.assign(this.#inner, {
      onclose: () => this.onclose?.(),
      onerror: (error) => {
        if (/exceed|too long/iu.test(error.message)) this.#endFlood();
        if (this.#mayReceive()) this.onerror?.(error);
      },
      onmessage: (message, extra) => {
        const weight = 'method' in message && 'id' in message ? requestWeight : 1;
        if (this.#mayReceive(weight)) this.onmessage?.(message, extra);
      },
    } satisfies Pick<Transport, 'onclose' | 'onerror' | 'onmessage'>);
    await this.#inner.start();
    this.#program = Reflect.get(this.#inner, '_process');
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    // Only Parley's own messages start the count again. Answers do not, because the server can ask without end.
    if ('method' in message) this.#messagesInARow = 0;
    await this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    if (this.#inner instanceof StreamableHTTPClientTransport) {
      const ended = this.#inner.terminateSession().catch(() => undefined);
      await Promise.race([ended, setTimeout(sessionEndMs, undefined, { ref: false })]);
    }
    await this.#inner.close();
    this.#stopReading();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  /** Counts what was received. False if the server has sent too much. */
  #mayReceive(weight = 1): boolean {
    const now = performance.now();
    const uncounted = ((now - this.#countedAt) / 1000) * uncountedPerSecond;
    this.#messagesInARow = Math.max(0, this.#messagesInARow - uncounted) + weight;
    this.#countedAt = now;
    if (this.#messagesInARow > maxMessagesInARow) this.#endFlood();
    return !this.#hasFlooded;
  }

  /** Stops reading, because a child that the program leaves behind could still flood Parley. The library has no call for this. */
  #stopReading(): void {
    if (this.#program instanceof ChildProcess) this.#program.stdout?.destroy();
  }

  /** Ends the server. A program is killed, because an orderly end would read its output for seconds. */
  #endFlood(): void {
    if (this.#hasFlooded) return;
    this.#hasFlooded = true;
    if (this.#inner instanceof StdioClientTransport) {
      const { pid } = this.#inner;
      try {
        if (pid !== null) process.kill(pid, 'SIGKILL');
      } catch {
        // The program has ended already.
      }
    }
    this.#stopReading();
    void this.#inner.close().catch(() => undefined);
  }
}
