import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BackendClient, type BackendFrame, speech } from '../llama-omni/backend-client.ts';
import { StandInProcess } from '../llama-omni/stand-in-process.ts';
import type { StandInFaults } from '../llama-omni/stand-in-faults.ts';

const running: StandInProcess[] = [];

afterAll(async () => {
  for (const process of running) await process.end();
});

async function start(faults: StandInFaults = {}, contextSize?: number): Promise<StandInProcess> {
  const process = new StandInProcess();
  running.push(process);
  await process.start({ loadMs: 20, stepMs: 20, ...faults }, contextSize);
  return process;
}

const isText = ({ kind }: BackendFrame): boolean => kind === 'text';
const isAudio = ({ kind }: BackendFrame): boolean => kind === 'audio';

// These tests mostly wait in real time.
describe.concurrent('the stand-in of llama-omni-server', () => {
  it('is healthy before it has a model, and loads it with the first session', async () => {
    const server = await start();
    const health = await fetch(server.http('/health'));
    expect(await health.json()).toEqual({ status: 'ok', engine: 'comni' });
    expect(server.log).not.toContain('load_tensors');
    const client = new BackendClient(server.url);
    expect(await client.init()).toMatchObject({ type: 'session.created', mode: 'full_duplex' });
    expect(server.log).toContain('token2wav-gguf/hifigan2.gguf');
    client.socket.terminate();
    await client.closed();
    const again = new BackendClient(server.url);
    await again.init();
    expect((await server.report()).loads).toBe(1);
    again.socket.terminate();
    await again.closed();
    const silent = new BackendClient(server.url);
    await silent.init({ use_tts: false });
    expect((await server.report()).loads).toBe(2);
  });

  it('answers a voice with an id per step, late sound, and a silent step after the turn', async () => {
    const server = await start({ seed: 3, lateSound: { ms: 400 }, takesAnyPace: true });
    const client = new BackendClient(server.url);
    await client.init();
    const text = await client.until(isText, [speech, speech, speech]);
    const sound = await client.until(isAudio);
    expect(client.of(1).map(({ kind }) => kind)).toEqual(['listen']);
    expect(sound.at - text.at).toBeGreaterThan(350);
    const listen = await client.until(({ kind }) => kind === 'listen');
    const texts = client.frames.filter(isText);
    const ids = new Set(texts.map(({ response_id }) => response_id));
    expect(ids.size).toBeGreaterThan(2);
    expect(client.frames.some(({ input_id }) => input_id !== undefined)).toBe(false);
    const steps = [...ids].map((id) => Number(id?.split('_resp_')[1]));
    const last = Math.max(...steps);
    // Each spoken step ends alike, so the end of the turn cannot be seen.
    for (const step of steps)
      expect(client.of(step).find(({ type }) => type === 'response.done')?.reason).toBe('turn_end');
    expect(client.of(last + 1).filter(({ kind }) => kind === 'listen' || kind === 'text')).toEqual(
      [],
    );
    expect(listen.response_id).toBe(`${listen.session_id}_resp_${last + 2}`);
  });

  it('only listens to sound that comes faster than real time', async () => {
    const server = await start();
    const client = new BackendClient(server.url);
    await client.init();
    for (let count = 0; count < 12; count += 1) client.append(count < 5 ? speech : undefined);
    await client.next(({ response_id }) => response_id?.endsWith('_resp_12') === true);
    expect(client.frames.slice(1).map(({ kind }) => kind)).toEqual(
      Array.from({ length: 12 }, () => 'listen'),
    );
  });

  it('uses the first picture only, and listens at once on force_listen', async () => {
    const server = await start({ takesAnyPace: true });
    const client = new BackendClient(server.url);
    await client.init();
    await client.until(isText, [speech, speech, speech]);
    const picture = Buffer.of(0xff, 0xd8, 0xff, 0xe0).toString('base64');
    const step = client.append(undefined, { force_listen: true, video_frames: [picture, picture] });
    await client.next(
      ({ response_id, kind }) =>
        kind === 'listen' && response_id?.endsWith(`_resp_${step}`) === true,
    );
    expect(await server.report()).toMatchObject({ framesOffered: 2, framesUsed: 1 });
  });

  it('ends a session at an unknown type, and closes a second session silently', async () => {
    const server = await start();
    const client = new BackendClient(server.url);
    await client.init();
    const second = new BackendClient(server.url);
    await second.closed();
    expect(second.frames).toEqual([]);
    client.send({ type: 'session.close', reason: 'user_stop' });
    expect(await client.next(({ type }) => type === 'session.closed')).toMatchObject({
      reason: 'unexpected_message_type',
    });
    await client.closed();
  });

  it.each([
    [{ input: { audio: '' }, type: 'input.append' }, 'missing_audio'],
    [{ input: { audio: '@' }, type: 'input.append' }, 'invalid_input'],
    [{ input: { messages: [] }, type: 'input.append' }, 'mode_mismatch'],
  ])('ends a session that sends %j with %s', async (frame, reason) => {
    const server = await start();
    const client = new BackendClient(server.url);
    await client.init();
    client.send(frame);
    expect((await client.next(({ type }) => type === 'session.closed')).reason).toBe(reason);
  });

  it('reports whether the prompt continues its prefix, and requires a reference voice', async () => {
    const server = await start();
    const client = new BackendClient(server.url);
    await client.init();
    expect(await server.report()).toMatchObject({ isPromptComplete: true });
    client.socket.terminate();
    await client.closed();
    const plain = new BackendClient(server.url);
    await plain.init({ system_prompt: 'Be brief.' });
    expect(await server.report()).toMatchObject({ isPromptComplete: false, prompt: 'Be brief.' });
    plain.socket.terminate();
    await plain.closed();
    const mute = new BackendClient(server.url);
    expect((await mute.init({ voice: {} })).reason).toBe('voice_prefill_failed');
  });

  it('keeps sound until the session is closed over HTTP, and after a crash', async () => {
    const server = await start({ crashAtStep: 3 });
    const sessions = join(server.temporary, 'omni_ws');
    const client = new BackendClient(server.url);
    const { session_id: id = '' } = await client.init();
    const step = client.append();
    await client.next(({ response_id }) => response_id === `${id}_resp_${step}`);
    expect(readdirSync(join(sessions, id))).toEqual(['000001.wav']);
    const close = await fetch(server.http(`/sessions/${id}/close`), { method: 'POST', body: '{}' });
    expect(close.status).toBe(200);
    expect((await client.next(({ type }) => type === 'session.closed')).reason).toBe(
      'client_closed',
    );
    expect(existsSync(join(sessions, id))).toBe(false);
    expect((await fetch(server.http('/sessions/x/close'), { method: 'POST' })).status).toBe(404);
    const second = new BackendClient(server.url);
    await second.init();
    for (let count = 0; count < 3; count += 1) second.append();
    expect(await server.exited()).toBe('SIGSEGV');
    expect(readdirSync(sessions)).toHaveLength(1);
  });

  it('slides a full context and then talks to itself', async () => {
    const server = await start({ takesAnyPace: true }, 220);
    const client = new BackendClient(server.url);
    await client.init();
    await client.until(isText);
    expect((await server.report()).contextSlid).toBe(true);
  });

  it('writes in turn_based, with the end before the sound', async () => {
    const server = await start();
    const client = new BackendClient(server.url);
    await client.init({ mode: 'turn_based', system_prompt: 'Be brief.' });
    const messages = [{ role: 'user', content: 'Hello' }];
    client.send({
      type: 'input.append',
      input: { messages, streaming: true, tts: { enabled: true } },
    });
    await client.next(isAudio);
    const kinds = client.frames.map(({ kind, type }) => kind ?? type);
    expect(kinds.indexOf('text')).toBeLessThan(kinds.indexOf('response.done'));
    expect(kinds.indexOf('response.done')).toBeLessThan(kinds.indexOf('audio'));
  });

  it.each<[string, StandInFaults, number, RegExp]>([
    ['a taken port', { portTaken: true }, 1, /couldn't bind/u],
    ['another program', { otherProgram: true }, 1, /unknown option/u],
  ])('exits over %s', async (_name, faults, code, words) => {
    const server = await start(faults);
    expect(await server.exited()).toBe(code);
    expect(server.log).toMatch(words);
  });

  it('exits if the card’s memory is too small or a part of the model is missing', async () => {
    const server = await start({ outOfMemory: true });
    const client = new BackendClient(server.url);
    expect((await client.init()).reason).toBe('omni_init_failed');
    expect(await server.exited()).toBe(1);
    expect(server.log).toContain('cudaMalloc failed: out of memory');
    rmSync(join(server.folder, 'model', 'vision'), { recursive: true });
    const program = join(server.folder, 'bin', 'llama-omni-server');
    await server.run(program, [
      '-m',
      join(server.folder, 'model', 'MiniCPM-o-4_5-Q4_K_M.gguf'),
      '--port',
      '0',
    ]);
    expect(await server.exited()).toBe(1);
    expect(server.log).toContain('vision/MiniCPM-o-4_5-vision-F16.gguf');
  });

  it('answers 404 at /backend as an older build, and ends a session on a full disk', async () => {
    const older = await start({ olderBuild: true });
    expect((await fetch(older.http('/backend'))).status).toBe(404);
    const full = await start({ fullDiskAtStep: 1 });
    const client = new BackendClient(full.url);
    await client.init();
    client.append();
    expect((await client.next(({ type }) => type === 'session.closed')).reason).toBe(
      'prefill_failed',
    );
  });

  it('ends at a signal, unless it is a zombie', async () => {
    const server = await start();
    server.signal('SIGTERM');
    expect(await server.exited()).toBe(0);
    const zombie = await start({ zombie: true });
    zombie.signal('SIGTERM');
    expect((await fetch(zombie.http('/health'))).status).toBe(200);
  });
});
