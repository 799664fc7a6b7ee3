import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { decodeWav } from '../../shared/audio/wav.ts';
import { say } from '../contract/sound/say.ts';
import { expect, test } from './fixtures/host-test.ts';
import { startTalk } from './fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

const patient = { timeout: 40_000 };

const storing = (ownWords: 'no' | 'afterTalk' | 'whileTalking', keepTapes = false) =>
  ({ privacy: { keepTalks: 'yes', keepTapes, ownWords } }) as const;

async function storedTurns(home: string): Promise<readonly string[]> {
  const folder = join(home, 'state', 'talks');
  const [talk] = await readdir(folder).catch(() => []);
  if (talk === undefined) return [];
  const text = await readFile(join(folder, talk, 'talk.json'), 'utf8').catch(() => '{}');
  const { turns = [] } = JSON.parse(text) as {
    readonly turns?: readonly { readonly by: string; readonly text: string }[];
  };
  return turns.map(({ by, text }) => `${by}: ${text}`);
}

/** Plays a sentence backwards: as long and loud as speech, and unknown to the demonstration. */
async function speakBackwards(): Promise<void> {
  const file = resolve(import.meta.dirname, '../../resources/speech/turns.wav');
  const sound = decodeWav(new Uint8Array(await readFile(file)));
  if (!sound.ok) throw new Error(sound.error.code);
  await say(sound.value.samples.toReversed(), sound.value.rate);
}

const sentence = 'I can hear you, but I do not understand words.';

test('the user’s words are transcribed during the talk, and can be corrected and read later', async ({
  start,
  home,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  const { page } = await start(storing('whileTalking'));
  await startTalk(page);
  const own = page.locator('.own-phrase').filter({ hasText: sentence }).first();
  // Repeats the sentence, because a busy machine loses pieces of it in the sound card.
  await expect(async () => {
    await speakSentence('hear');
    await expect(own).toContainText('written down by a machine', { timeout: 8000 });
  }).toPass({ timeout: 90_000 });
  // The user's phrase comes before the answer.
  await expect(page.locator('.caption').first()).toHaveText(/\w{3,} \w+/u, patient);
  await expect(page.locator('.caption-slot').first()).toContainText('You said');

  await own.getByRole('button').click();
  const field = page.getByRole('textbox', { name: 'What you said' });
  await expect(field).toBeFocused();
  await field.fill('I can hear you, but I do not understand music.');
  await page.keyboard.press('Enter');
  const right = page.locator('.own-phrase').filter({ hasText: 'understand music.' });
  await expect(right).toContainText('corrected by you');

  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'Read it' }).click();
  const lines = page.getByRole('region', { name: 'What was said' });
  const turn = lines
    .locator('.history-turn[data-by="person"]')
    .filter({ hasText: 'corrected by you' });
  await expect(turn).toContainText('understand music.', patient);
  await turn.getByRole('button').click();
  await field.fill('I can hear you.');
  await page.keyboard.press('Enter');
  await expect(turn).toContainText('I can hear you.');
  await expect.poll(() => storedTurns(home)).toContain('person: I can hear you.');
  expect(await storedTurns(home)).not.toContain(
    'person: I can hear you, but I do not understand music.',
  );
});

test('the user’s words are transcribed after the talk, and unknown ones can be typed', async ({
  start,
  home,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  const { page } = await start(storing('afterTalk'));
  await startTalk(page);
  await speakBackwards();
  await expect(page.getByText('What you say is written down after the talk.')).toBeVisible(patient);
  await expect(page.locator('.own-phrase')).toHaveCount(0);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  const own = page.locator('.own-phrase').first();
  await expect(own).toContainText('Not understood', patient);
  await expect(page.getByText('The demonstration can only write down')).toBeVisible();
  await own.getByRole('button').click();
  await page.getByRole('textbox', { name: 'What you said' }).fill('Something unheard of.');
  await page.keyboard.press('Enter');
  await expect(own).toContainText('corrected by you');
  await expect.poll(() => storedTurns(home), patient).toContain('person: Something unheard of.');
});

test('the user’s words are transcribed from the tape on request', async ({ start }) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  const { page } = await start(storing('no', true));
  await startTalk(page);
  await speakSentence('hear');
  await expect(page.locator('.caption').first()).toHaveText(/\w{3,} \w+/u, patient);
  await expect(page.locator('.own-phrase')).toHaveCount(0);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'Read it' }).click();
  const talk = page.getByRole('region', { name: 'Talk' });
  await expect(talk.locator('.history-turn').first()).toContainText('Parley said', patient);
  await talk.getByRole('button', { name: 'Write down what I said' }).click();
  // Either result is accepted, because a busy machine loses pieces of the sentence in the sound card.
  const words = talk.locator('.history-turn[data-by="person"]').filter({ hasText: sentence });
  const none = talk.getByText('No words of yours were found in the recording.');
  await expect(words.or(none)).toBeVisible(patient);
});
