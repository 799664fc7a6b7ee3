import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { Voice } from '../../bench/conversation/sound-tape.ts';
import { playInto } from '../../bench/sound/sound-processes.ts';
import { instant } from '../../contract/sound/player.ts';
import { runTool } from '../../contract/sound/run-tool.ts';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { runCli } from '../../fakes/run-cli.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import { readTalkFromCore } from '../fixtures/pages/read-core.ts';
import { childrenOf, readCommand } from '../fixtures/processes.ts';
import { stateDirEnvironment } from '../fixtures/running-host.ts';
import { serverSettings } from '../fixtures/servers.ts';
import { skipWithoutSoundCard, speakSentence } from '../fixtures/sound-card.ts';
import { spawnDesktop, waitForLine } from '../fixtures/spawn-desktop.ts';
import { focusOtherProgram, pressKeys } from './other-program.ts';
import { type RecordingGateway, serveRecordingGateway } from './recording-gateway.ts';

// Failures in the middle of a sentence, with the key held in another program.

const patient = { timeout: 40_000 };
const talking = { mode: 'hold', everywhere: true, globalKey: 'F8' } as const;

const receivedSpeechSince = ({ heard }: RecordingGateway, since: number): boolean =>
  heard.some(({ at, audio }) => at > since && audio.some((sample) => sample !== 0));

test('a sound server that dies mid-sentence neither ends the talk nor leaves the microphone open', async ({
  desktop,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(240_000);
  const { lifetime } = desktop;
  const sound = new SoundServer('short');
  lifetime.add(() => sound.end());
  await sound.start();
  const { environment } = sound;
  const gateway = await serveRecordingGateway(lifetime);
  await desktop.tray.appear();
  const { page } = await desktop.start({
    flags: ['--hidden'],
    settings: { ...serverSettings(gateway.url), talking },
    environment,
  });
  await focusOtherProgram(lifetime);
  const room = () => new Voice(playInto('mic', inputRate, 100, environment));
  let voice = room();
  const breakSound = async (): Promise<void> => {
    await Promise.all([sound.kill(), voice.end()]);
    await expect.poll(microphone, patient).toBe('lost');
  };
  const mendSound = async (): Promise<void> => {
    await sound.start();
    voice = room();
    await expect.poll(microphone, patient).toBe('using');
  };
  const microphone = async () => (await readTalkFromCore(page)).devices.microphone.kind;
  const controls = async () => (await readTalkFromCore(page)).controls;
  const phase = async () => (await readTalkFromCore(page)).state.phase;
  const isHeard = (since: number) =>
    expect.poll(() => receivedSpeechSince(gateway, since), patient).toBe(true);

  await page.evaluate(() => window.parley?.request('startTalk', { mode: 'audio' }));
  await expect.poll(phase, patient).toBe('live');
  await expect.poll(microphone, patient).toBe('using');

  // The sound server restarts while the key is held: speech from before and after arrives.
  await expect
    .poll(async () => {
      await pressKeys('keyup', 'F8', 'keydown', 'F8');
      return (await controls()).transmitting;
    }, patient)
    .toBe(true);
  await wait(1200);
  const broken = instant();
  await breakSound();
  expect(await controls()).toMatchObject({ transmitting: true, passing: false });
  const saidSeconds = (): number =>
    gateway.heard.flatMap(({ audio }) => [...audio]).filter((sample) => sample !== 0).length /
    inputRate;
  // The chunk is completed with silence while there is no microphone.
  await expect.poll(saidSeconds, patient).toBeGreaterThan(1);
  await mendSound();
  const mended = instant();
  await isHeard(mended);
  expect(await controls()).toMatchObject({ transmitting: true, passing: true });

  // The key is released before the restart: nothing more is transmitted.
  await breakSound();
  await pressKeys('keyup', 'F8');
  await expect.poll(async () => (await controls()).transmitting).toBe(false);
  await mendSound();
  // Waits for the fade and the chunks on their way.
  await wait(1500);
  const quiet = instant();
  await expect
    .poll(() => gateway.heard.filter(({ at }) => at > quiet).length, patient)
    .toBeGreaterThan(3);
  expect(receivedSpeechSince(gateway, quiet)).toBe(false);
  expect(await phase()).toBe('live');

  // The next sentence is transmitted as usual.
  const again = instant();
  await pressKeys('keydown', 'F8');
  await isHeard(again);
  await pressKeys('keyup', 'F8');
  await expect.poll(async () => (await controls()).transmitting).toBe(false);
  await voice.end();
  test.info().annotations.push({
    type: 'measured',
    description: `the talk continued ${Math.round(mended - broken)} ms after the sound server's death, of which its own start is most`,
  });
});

async function countCaptures(): Promise<number> {
  const { output } = await runTool('pactl', ['list', 'short', 'source-outputs']);
  return output.split('\n').filter((line) => line.includes('protocol-native')).length;
}

const isRunning = (pid: number): boolean => readCommand(pid) !== '';

test('a Parley killed with the key held leaves no process and no open microphone, and keeps the talk', async ({
  desktop,
  host,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(240_000);
  const { lifetime, home } = desktop;
  const gateway = await serveRecordingGateway(lifetime);
  const state = stateDirEnvironment(home).PARLEY_STATE_DIR;
  const settings = {
    ...serverSettings(gateway.url),
    talking,
    privacy: { keepTalks: 'yes', keepTapes: true },
  };
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'settings.json'), JSON.stringify({ version: 1, ...settings }));
  const before = await countCaptures();
  const main = spawnDesktop(home, host);
  main.stderr.resume();
  const ended = once(main, 'exit');
  await waitForLine(main, /^Parley is open\.$/);
  main.stdout.resume();
  await focusOtherProgram(lifetime);
  const environment = { ...process.env, ...stateDirEnvironment(home) };
  await expect.poll(async () => (await runCli(['start'], '', environment)).code, patient).toBe(0);
  await expect.poll(() => gateway.heard.length, patient).toBeGreaterThan(1);

  // One sentence is answered; then the key is held during the next one.
  const pressed = instant();
  await expect(async () => {
    await pressKeys('keyup', 'F8', 'keydown', 'F8');
    await speakSentence();
    expect(receivedSpeechSince(gateway, pressed)).toBe(true);
  }).toPass(patient);
  const journal = (): string =>
    readdirSync(state)
      .filter((name) => /^talk-journal-.*\.json$/.test(name))
      .map((name) => readFileSync(join(state, name), 'utf8'))
      .join('');
  await expect.poll(journal, patient).toMatch(/"text":"\w+\W+\w+/);
  const children = childrenOf(main.pid);
  expect(children.filter((pid) => readCommand(pid).includes('--type=utility'))).not.toEqual([]);
  expect(await countCaptures()).toBeGreaterThan(before);
  void speakSentence();
  await wait(800);
  const killedAt = performance.now();
  main.kill('SIGKILL');
  await ended;
  await expect.poll(() => children.filter(isRunning), patient).toEqual([]);
  const gone = Math.round(performance.now() - killedAt);
  await expect.poll(countCaptures).toBe(before);
  await pressKeys('keyup', 'F8');
  test.info().annotations.push({
    type: 'measured',
    description: `${children.length} processes of a killed Parley were gone after ${gone} ms`,
  });

  const tapes = readdirSync(join(state, 'tapes'));
  expect(tapes).toHaveLength(1);
  const checked = await runCli(['tape', 'check', join(state, 'tapes', tapes[0] ?? '')]);
  // 1 is an unfinished tape, 2 is not a tape.
  expect(checked.code, checked.out + checked.err).toBeLessThan(2);

  const { page } = await desktop.start();
  await expect(page.getByText(/Parley ended unexpectedly; your talk until .* is kept/)).toBeVisible(
    patient,
  );
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  const { captions, controls } = await readTalkFromCore(page);
  expect(captions.map(({ text }) => text).join(' ')).toMatch(/\w+\W+\w+/);
  expect(controls.transmitting).toBe(false);
  expect(await countCaptures()).toBe(before);
});
