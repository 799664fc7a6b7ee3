import {
  append,
  asReceived,
  bareAppend,
  bareDecode,
  client,
  delta,
  encodeDelta,
  kilobytes,
  server,
  wideDelta,
} from './protocol/protocol-cases.ts';
import { printMedians } from './table.ts';

/** The limit: writing an 85 KB append and reading a 128 KB delta take less than 0.15 ms each. */
export function bench(): void {
  const appendText = asReceived(append());
  printMedians(`An append of one second, ${kilobytes(appendText)}`, [
    { name: 'encodeAsk', run: append },
    { name: 'bare base64 and JSON.stringify', run: bareAppend },
    { name: 'decodeClientEvent', run: () => server.decodeClientEvent(appendText, 'unified') },
    { name: 'bare JSON.parse', run: (): unknown => JSON.parse(appendText) },
  ]);
  printMedians(`An audio delta of 1.02 s, ${kilobytes(delta)}`, [
    { name: 'decodeServerEvent', run: () => client.decodeServerEvent(delta) },
    { name: 'decodeEvent, with Chinese text', run: () => client.decodeServerEvent(wideDelta) },
    { name: 'bare JSON.parse and base64', run: () => bareDecode(delta) },
    { name: 'bare JSON.parse and base64, with Chinese text', run: () => bareDecode(wideDelta) },
    { name: 'encodeEvent', run: encodeDelta },
  ]);
}
