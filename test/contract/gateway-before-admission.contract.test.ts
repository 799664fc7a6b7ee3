import { once } from 'node:events';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { silence, spokenTo } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient, gatewayHarness, gatewayKinds } from './gateway-harness.ts';

const { serve } = gatewayHarness();

const configure = { kind: 'configure', settings: { instructions: 'Be brief.' } } as const;
const append = { kind: 'append', audio: silence(1000) } as const;

/** A pong proves that everything sent before has been read. */
async function hasRead({ socket }: { readonly socket: WebSocket }): Promise<void> {
  socket.ping();
  await once(socket, 'pong');
}

describe('a configure before a worker is assigned', () => {
  it.each(gatewayKinds)('is held and then applied: $profile, $dialect', async (kind) => {
    const url = `${await serve({ ...kind, workers: 1 })}?mode=audio`;
    const { dialect } = kind;
    const holder = await GatewayClient.live(url, dialect);
    // The official pages send it once, 100 ms after opening the connection.
    const page = new GatewayClient(url, dialect);
    await page.received('queued');
    page.send(configure);
    await hasRead(page);
    expect(page.kinds).toEqual(['queued']);
    await holder.close();
    const other = new GatewayClient(url, dialect);
    await other.received('queued');
    other.send(configure);
    await page.received('created');
    page.send(append);
    await page.received('listen');
    await page.close();
    await other.received('created');
    expect(page.kinds).not.toContain('error');
  });

  it.each(['unified', 'legacy'] as const)(
    'takes the following appends along, as deployed %s gateways do',
    async (dialect) => {
      const url = await serve({ dialect, workers: 1 });
      const holder = new GatewayClient(`${url}?mode=audio`, dialect);
      await holder.received('admitted');
      const page = new GatewayClient(`${url}?mode=audio`, dialect);
      await page.received('queued');
      page.send(configure);
      page.send({ kind: 'append', audio: spokenTo });
      await hasRead(page);
      holder.send({ kind: 'close', reason: 'user_stop' });
      await page.received('output');
      expect(page.kinds.slice(0, 4)).toEqual(['queued', 'admitted', 'created', 'output']);
    },
  );

  it('is optional for a deployed unified gateway: an append creates the session', async () => {
    const client = new GatewayClient(`${await serve()}?mode=audio`);
    await client.received('admitted');
    client.send(append);
    await client.received('listen');
    expect(client.kinds).toEqual(['admitted', 'created', 'listen']);
  });

  it('is accepted only once', async () => {
    const url = await serve({ profile: 'documented', workers: 1 });
    await new GatewayClient(url).received('admitted');
    const page = new GatewayClient(url);
    await page.received('queued');
    page.send(configure);
    page.send(configure);
    expect((await page.received('error')).code).toBe('invalid_event');
  });
});

describe('a hostile client', () => {
  it('is disconnected for a large message before it has a session', async () => {
    // A deployed worker refuses the client after a vanished one, which this test does not want.
    const url = await serve({ workers: 1, profile: 'documented' });
    for (const stage of ['assigned', 'queued']) {
      const client = new GatewayClient(url, 'unified', { perMessageDeflate: false });
      await client.received(stage === 'queued' ? 'queued' : 'admitted');
      client.socket.send('{},'.repeat(4 * 1024 * 1024));
      expect([stage, (await client.ended).code]).toEqual([stage, 1009]);
      if (stage === 'assigned') await new GatewayClient(url).received('admitted');
    }
  });

  it('is disconnected for the size after inflation', async () => {
    const client = new GatewayClient(await serve(), 'unified', {
      perMessageDeflate: { threshold: 0 },
    });
    await client.received('admitted');
    const bomb = ' '.repeat(9 * 1024 * 1024);
    expect(deflateRawSync(bomb).length).toBeLessThan(20_000);
    client.socket.send(bomb);
    expect((await client.ended).code).toBe(1009);
  });

  it('cannot fill the memory while it is queued', async () => {
    const url = await serve({ workers: 1 });
    await new GatewayClient(url).received('admitted');
    const client = new GatewayClient(url, 'unified', { perMessageDeflate: false });
    await client.received('queued');
    for (let nr = 0; nr < 61; nr += 1) client.send(append);
    expect((await client.received('closed')).diagnostic).toMatch(/faster than it is processed/);
    const patient = await serve({ workers: 1, profile: 'documented' });
    await new GatewayClient(patient).received('admitted');
    const other = new GatewayClient(patient, 'unified', { perMessageDeflate: false });
    await other.received('queued');
    const voice = JSON.stringify({ type: 'session.init', payload: { a: 'A'.repeat(7_000_000) } });
    for (let nr = 0; nr < 3; nr += 1) other.socket.send(voice);
    expect((await other.received('error', 2)).message).toMatch(/too much data before/);
  });

  it.each([
    ['brackets', /more JSON than any event/, () => `[${'{},'.repeat(38 * 1024 * 1024)}{}]`],
    [
      'escaped characters',
      /more JSON than any event/,
      () => `{"type":"${String.raw`\u0041`.repeat(12 * 1024 * 1024)}"}`,
    ],
    [
      'one endless word',
      /type is longer than 1048576 characters/,
      () => `{"type":"${'a'.repeat(100 * 1024 * 1024)}"}`,
    ],
  ])('does not get %s parsed, even once it has a session', async (_what, problem, frame) => {
    const url = `${await serve()}?mode=chat`;
    const hostile = await GatewayClient.live(url, 'unified', { perMessageDeflate: false });
    hostile.socket.send(frame());
    expect((await hostile.received('closed')).diagnostic).toMatch(problem);
  });

  it('cannot send a larger message in a talk than the gateway reads', async () => {
    const client = await GatewayClient.live(`${await serve()}?mode=audio`, 'unified', {
      perMessageDeflate: false,
    });
    client.send({ kind: 'append', audio: silence(60_000) });
    await client.received('listen');
    client.send({ kind: 'append', audio: silence(200_000) });
    expect((await client.ended).code).toBe(1009);
  });

  it('may send a chat with minutes of sound once it has a session', async () => {
    const client = await GatewayClient.live(`${await serve()}?mode=chat`, 'unified', {
      perMessageDeflate: false,
    });
    const audio = new Float32Array(16_000 * 200);
    const messages = [{ role: 'user', content: [{ type: 'audio', audio }] }] as const;
    client.send({ kind: 'chat', messages });
    expect((await client.received('done')).text).toMatch(/200\.0 seconds of sound/);
  });
});
