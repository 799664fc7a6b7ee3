import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { unpackTape } from '../../../../../electron/platform/files/zip.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../../shared/protocol/json.ts';
import { readableShape, redact } from '../../../../fixtures/redacted.ts';

/** Removes media from a line; other tests cover them. */
const withoutMedia = (line: JsonObject) =>
  JSON.parse(JSON.stringify(line), (_key, value: JsonValue) =>
    isJsonObject(value) && ('$sound' in value || '$file' in value) ? 'media' : value,
  ) as JsonObject;

const flows = new URL('../../../../fixtures/flows/', import.meta.url).pathname;

async function linesOfFlows() {
  const lines: JsonObject[] = [];
  for (const name of readdirSync(flows).filter((file) => file.endsWith('.parleytape'))) {
    const unpacked = await unpackTape(`${flows}${name}`);
    if (!unpacked.ok) throw new Error(unpacked.error.code);
    const { folder, remove } = unpacked.value;
    const [, ...rows] = readFileSync(`${folder}/tape.ndjson`, 'utf8').trimEnd().split('\n');
    for (const row of rows) {
      const { frame, end, event } = withoutMedia(JSON.parse(row) as JsonObject);
      const said = frame ?? end ?? event;
      // One server sends an unknown event on purpose.
      if (isJsonObject(said) && said['type'] !== 'response.unit.started') lines.push(said);
    }
    await remove();
  }
  return lines;
}

it('redaction keeps the readable shape of every wire frame in the tapes of all flows', async () => {
  const lines = await linesOfFlows();
  expect(lines.length).toBeGreaterThan(500);
  const changed = lines.filter(
    (line) => JSON.stringify(readableShape(redact(line))) !== JSON.stringify(readableShape(line)),
  );
  expect(changed).toEqual([]);
});
