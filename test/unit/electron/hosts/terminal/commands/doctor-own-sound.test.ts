import { describe, expect, it } from 'vitest';
import { hearYourself } from '../../../../../../electron/hosts/terminal/commands/doctor-command.ts';
import type { OwnSoundVerdict } from '../../../../../../shared/audio/sound-tests.ts';
import { failure } from '../../../../../../shared/errors/app-error.ts';
import { successReply } from '../../../../../fakes/success-reply.ts';

/** The terminal's output and the requests to a core with these answers. */
async function heard(verdict: OwnSoundVerdict | undefined, json = false) {
  const asked: unknown[] = [];
  let [out, err] = ['', ''];
  const answer = (name: unknown, input: unknown) => {
    asked.push(input === undefined ? name : [name, input]);
    if (verdict === undefined) return Promise.resolve(failure('noMicrophone'));
    return Promise.resolve(successReply(name === 'recordOwnSound' ? verdict : undefined));
  };
  const terminal = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  await hearYourself({ answer }, terminal, json);
  return { asked, out, err };
}

describe('parley doctor --hear-yourself', () => {
  it('reports the result, plays both versions, and stores nothing', async () => {
    const { asked, out, err } = await heard('clipped');
    expect(asked).toEqual([
      'recordOwnSound',
      ['playOwnSound', { as: 'captured' }],
      ['playOwnSound', { as: 'sent' }],
      'forgetOwnSound',
    ]);
    expect(out).toMatch(/^Yourself +That was too loud/u);
    expect(err).toMatch(/Speak now…\nAs the microphone hears you…\nAs the server hears you…\n$/u);
  });

  it('plays nothing without speech or without a microphone', async () => {
    const silence = await heard('unheard', true);
    expect(silence.out).toBe('{"event":"ownSound","verdict":"unheard"}\n');
    expect(silence.asked).toEqual(['recordOwnSound']);
    const { asked, out } = await heard(undefined);
    expect(asked).toEqual(['recordOwnSound']);
    expect(out).toMatch(/^Yourself +There is no microphone/u);
  });
});
