import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openParley, type Parley } from '../../../../electron/app/parley.ts';
import type { SessionEvent } from '../../../../electron/talk/session/session-event.ts';
import type { Session } from '../../../../electron/talk/session/session.ts';
import type { Sockets } from '../../../../shared/ports/sockets.ts';
import type { VisionFrame } from '../../../../shared/vision/vision-frame.ts';
import { defaultVisionOptions } from '../../../../shared/vision/vision-options.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';

let parley: Parley;
let shown: VisionFrame[];

beforeEach(() => {
  parley = openParley('terminal', '1.2.3', new FakeLog());
  shown = [];
  parley.machine.notices.listen(({ name, payload }) => {
    if (name === 'frameSent') shown.push(payload);
  });
});

afterEach(() => parley.lifetime.end());

interface Append {
  readonly video_frames?: readonly string[];
  readonly max_slice_nums?: number;
}

/** Wraps sockets to record every append. */
function noted(sockets: Sockets, appends: Append[]): Sockets {
  return {
    connect: (mode, listener) => {
      const socket = sockets.connect(mode, listener);
      return {
        ...socket,
        send: (text) => {
          const { input } = JSON.parse(text) as { readonly input?: Append };
          if (input !== undefined) appends.push(input);
          socket.send(text);
        },
      };
    },
  };
}

/** A live talk with the embedded gateway, attached to the frame pipeline. */
async function talk(appends: Append[]): Promise<Session> {
  const gateway = await parley.servers.gateway.open();
  if (!gateway.ok) throw new Error(gateway.error.code);
  const sockets = noted(gateway.value, appends);
  return new Promise((resolve) => {
    const emit = (event: SessionEvent): void => {
      if (event.event === 'sent' && event.frames > 0) parley.vision.framePipeline.frameSent();
      if (event.event === 'state' && event.state === 'live') resolve(session);
    };
    const session = parley.servers.sessions.openSession(
      { mode: 'video', settings: {}, dialect: 'unified', chunkMs: 1000 },
      { sockets, emit },
    );
    parley.vision.framePipeline.attach({
      chunkMs: 1000,
      pushFrame: (frame) => {
        session.pushFrame(frame);
      },
      setMaxSlices: (slices) => {
        session.setMaxSlices(slices);
      },
    });
  });
}

const second = (): Float32Array => new Float32Array(16_000);

const paint = (background: string) =>
  sharp({ create: { width: 3840, height: 2160, channels: 3, background } })
    .jpeg()
    .toBuffer();

const base64 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64');

it('frames posted as sent equal those on the wire', async () => {
  const appends: Append[] = [];
  const session = await talk(appends);
  await parley.answer('setCapturePermission', { open: 'camera' });
  await parley.answer('setVisionOptions', { ...defaultVisionOptions, slices: 4 });
  for (const colour of ['#ff0000', '#00ff00']) {
    const jpeg = new Uint8Array(await paint(colour));
    // A change of settings makes the next frame due at once.
    await parley.answer('setVisionOptions', { ...defaultVisionOptions, slices: 4 });
    const reply = await parley.answer('pushFrame', { jpeg });
    expect(reply).toEqual({ ok: true, value: { outcome: 'taken' } });
    session.pushAudio(second());
  }
  // A chunk without a new frame carries none, and nothing is posted.
  session.pushAudio(second());
  session.end();
  expect(appends).toHaveLength(3);
  expect(appends.map(({ video_frames: frames = [] }) => frames.length)).toEqual([1, 1, 0]);
  expect(appends[0]?.max_slice_nums).toBe(4);
  expect(shown).toHaveLength(2);
  for (const [at, frame] of shown.entries()) {
    expect(appends[at]?.video_frames).toEqual([base64(frame.jpeg)]);
    expect(frame.facts).toMatchObject({ width: 1194, height: 672, slices: 4, tokens: 192 });
    expect(frame.facts.bytes).toBe(frame.jpeg.length);
  }
  expect(appends[0]?.video_frames).not.toEqual(appends[1]?.video_frames);
});

it('no frame is sent after the permission was revoked during a talk', async () => {
  const appends: Append[] = [];
  const session = await talk(appends);
  await parley.answer('setCapturePermission', { open: 'camera' });
  const jpeg = new Uint8Array(await paint('#ff0000'));
  const offered = parley.answer('pushFrame', { jpeg });
  await parley.answer('setCapturePermission', { open: 'nothing' });
  expect(await offered).toEqual({ ok: true, value: { outcome: 'notWanted' } });
  session.pushAudio(second());
  // A frame that waited for its chunk is withdrawn, too.
  await parley.answer('setCapturePermission', { open: 'camera' });
  expect(await parley.answer('pushFrame', { jpeg })).toEqual({
    ok: true,
    value: { outcome: 'taken' },
  });
  await parley.answer('setCapturePermission', { open: 'nothing' });
  session.pushAudio(second());
  session.end();
  expect(appends.map(({ video_frames: frames = [] }) => frames.length)).toEqual([0, 0]);
  expect(shown).toEqual([]);
});
