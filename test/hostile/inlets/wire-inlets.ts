import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { ClientEvent, ClientEventProblem } from '../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import { clientEventVectors } from '../../unit/shared/protocol/wire-vectors.ts';
import { serverEventVectors } from '../../unit/shared/protocol/wire-vectors.ts';
import type { Inlet } from '../inlet.ts';

const client = createClientCodec(bufferBase64);
const server = createServerCodec(bufferBase64);

const written = (vectors: readonly { readonly frame: unknown }[]): readonly string[] =>
  vectors.map(({ frame }) => JSON.stringify(frame));

/** Checks that a decoded event can be encoded again in its dialect. */
function checkReencoding(asked: ClientEvent | ClientEventProblem, dialect: 'unified' | 'legacy') {
  if (asked.kind === 'problem') return asked;
  return { asked, again: client.encodeClientEvent(asked, dialect) };
}

/** Inlets for frames: from a server to Parley, and from clients to the embedded gateway. */
export const wireInlets: readonly Inlet[] = [
  {
    name: 'events of a server',
    samples: written(serverEventVectors),
    open: (text) => {
      const event = client.decodeServerEvent(text);
      return [event, server.encodeServerEvent(event, 'unified')];
    },
  },
  ...(['unified', 'legacy'] as const).flatMap((dialect): readonly Inlet[] => [
    {
      name: `messages to the gateway, ${dialect}`,
      samples: written(clientEventVectors.filter((vector) => vector.dialect === dialect)),
      open: (text) => checkReencoding(server.decodeClientEvent(text, dialect), dialect),
    },
    {
      name: `messages to the gateway, ${dialect}, as deployed`,
      samples: written(clientEventVectors.filter((vector) => vector.dialect === dialect)),
      open: (text) =>
        checkReencoding(server.decodeClientEvent(text, dialect, { lenient: true }), dialect),
    },
  ]),
  {
    name: 'messages to the gateway’s older chat',
    samples: ['{"messages":[{"role":"user","content":"Hello"}],"streaming":true}'],
    open: (text) => checkReencoding(server.olderChat.decodeRequest(text), 'unified'),
  },
];
