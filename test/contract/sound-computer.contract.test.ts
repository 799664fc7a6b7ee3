import { expect, it } from 'vitest';
import { createComputerSound } from '../../electron/platform/computer-sound.ts';
import { soundServerForEach } from './sound/server-for-each.ts';

const { server, run } = await soundServerForEach();

it('capturing the computer’s sound reports a missing program', async () => {
  const open = createComputerSound('no-such-program');
  const opened = await open?.({ captured: () => undefined });
  expect(opened).toMatchObject({ ok: false, error: { code: 'computerSoundProgramMissing' } });
});

it('capturing the computer’s sound fails with a reason if no sound server runs', async () => {
  await server().kill();
  const { code, output } = await run('open-computer-sound.ts');
  expect({ code, output: output.trim() }).toEqual({ code: 0, output: 'computerSoundFailed' });
});
