import { expect, test, vi, it } from 'vitest';
import { appError } from '../../../../shared/errors/app-error.ts';
import { judgePace, minPauseOf, refuseSlowTalks } from '../../../../electron/model/model-pace.ts';
import { ModelLog } from '../../../../electron/model/model-run.ts';

// The verdict about the model's pace, and below it what the program's log explains.

/** Ten steps of the model: eight of 500 ms, then two of the given length. */
function stepsWithTwoAt(milliseconds: number): readonly number[] {
  return [...Array.from({ length: 8 }, () => 500), milliseconds, milliseconds];
}

test('fewer than ten steps have no verdict', () => {
  expect(judgePace(stepsWithTwoAt(500).slice(1))).toBeUndefined();
});

test.each([
  [700, 'voice'],
  [701, 'fewPictures'],
  [900, 'fewPictures'],
  [901, 'chatOnly'],
] as const)('two of ten steps at %d ms give the verdict %s', (milliseconds, verdict) => {
  expect(judgePace(stepsWithTwoAt(milliseconds))).toEqual({
    medianMs: 500,
    p90Ms: milliseconds,
    verdict,
  });
});

test('pictures are at least two seconds apart if the model is slow with them', () => {
  const pauses = [700, 701, 901].map((slow) => minPauseOf(judgePace(stepsWithTwoAt(slow))));
  expect(pauses).toEqual([0, 2000, 2000]);
});

test('one slow step of ten does not change the verdict', () => {
  expect(judgePace([...Array.from({ length: 9 }, () => 500), 4000])?.verdict).toBe('voice');
});

test('talks are refused with the measured pace while the model is too slow, and chats pass', async () => {
  const connect = vi.fn(() => ({ send: vi.fn(), close: vi.fn(), terminate: vi.fn() }));
  const slow = { medianMs: 800, p90Ms: 1200, verdict: 'chatOnly' } as const;
  const sockets = refuseSlowTalks({ connect }, () => slow);
  const listener = { opened: vi.fn(), received: vi.fn(), ended: vi.fn() };
  sockets.connect('audio', listener);
  await Promise.resolve();
  expect(listener.ended).toHaveBeenCalledExactlyOnceWith({
    kind: 'unreachable',
    permanent: true,
    error: appError('modelTooSlow', { p90Ms: 1200, limitMs: 900 }),
  });
  expect(connect).not.toHaveBeenCalled();
  sockets.connect('chat', listener);
  expect(connect).toHaveBeenCalledTimes(1);
});

const files = [{ path: 'audio/a.gguf', bytes: 1, sha256: '' }];

it.each<[log: string, code: string, facts?: object]>([
  ['alloc: cudaMalloc failed: out of memory\nfailed to load model\n', 'modelCardMemory'],
  ['ggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory\n', 'modelCardMemory'],
  ['alloc: unable to allocate ROCm0 buffer\n', 'modelCardMemory'],
  [
    'x: error while loading shared libraries: libcuda.so.1: cannot open\n',
    'modelLibraryMissing',
    { name: 'libcuda.so.1' },
  ],
  [
    'dyld[12]: Library not loaded: @rpath/libomp.dylib\n  Reason: tried: no such file\n',
    'modelLibraryMissing',
    { name: 'libomp.dylib' },
  ],
  [
    "gguf_init_from_file: failed to open GGUF file '/m/tts/t.gguf'\n",
    'modelFileUnreadable',
    { name: 't.gguf' },
  ],
  [
    "loading /m/audio/a.gguf\nerror loading model: tensor 'x' data is not within the file bounds, model is corrupted or incomplete\n",
    'modelFileUnreadable',
    { name: 'a.gguf' },
  ],
  ["main: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 1\n", 'modelPortTaken'],
  [
    'omni_ws: failed to write /dev/shm/x/omni_ws/omni_1/000001.wav: No space left on device\n',
    'modelTemporaryFull',
    { path: '/dev/shm/x' },
  ],
  [
    'omni_ws: failed to write /dev/shm/x/1.wav: Disk quota exceeded\n',
    'modelTemporaryFull',
    { path: '/dev/shm/x/1.wav' },
  ],
  ['error: invalid argument: --repeat-last-n\nusage: other\n', 'modelProgramForeign'],
  ['parley-model: 2: /bin/omni: Exec format error\n', 'modelProgramForeign', { path: '/bin/omni' }],
  ['one\nthe last line', 'modelExited', { line: 'the last line' }],
])('the model log explains why the program ended: %j', (text, code, facts = {}) => {
  const log = new ModelLog(files);
  log.append(text, 0);
  const error = log.explain({ code: 1, signal: undefined }, '/bin/omni');
  expect(error).toMatchObject({ code, facts });
});

it.each([
  ['SIGKILL', 'modelKilled'],
  ['SIGILL', 'modelProcessorOld'],
  ['SIGSEGV', 'modelExited'],
])('the model log explains an end by %s if it has no useful line', (signal, code) => {
  expect(new ModelLog(files).explain({ code: undefined, signal }, '/bin/omni')).toMatchObject({
    code,
  });
});

it('the model log keeps the newest lines only', () => {
  const log = new ModelLog(files);
  log.append('cudaMalloc failed: out of memory\n', 0);
  log.append('step\n'.repeat(100), 0);
  expect(log.explain({ code: 1, signal: undefined }, '')).toMatchObject({
    code: 'modelExited',
    facts: { line: 'step' },
  });
});
