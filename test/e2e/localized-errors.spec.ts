import { encodeWav } from '../../shared/audio/wav.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
import { closedPort } from './fixtures/servers.ts';

test.use({ language: 'zh-CN' });

const patient = { timeout: 20_000 };
/** English words that no Chinese sentence contains. */
const english = /\b(?:the|is|not|and|of)\b/i;

test('refusals of the core are in the page’s language @page', async ({ page }) => {
  const port = await closedPort();
  await openSection(page, '服务器');
  await page.getByRole('button', { name: '添加服务器' }).click();
  const form = page.getByRole('form', { name: '新服务器' });
  const address = form.getByRole('textbox', { name: '地址' });
  await address.fill('talk.example');
  await form.getByRole('button', { name: '测试连接' }).click();
  await expect(form.getByRole('alert').filter({ hasText: '缺少协议' })).toBeVisible();

  await address.fill(`ws://127.0.0.1:${port}`);
  await form.getByRole('button', { name: '测试连接' }).click();
  const verdict = form.getByRole('status');
  await expect(verdict).toContainText(`127.0.0.1:${port} 上没有程序在监听`, patient);
  await expect(verdict).not.toContainText(english);
  await form.getByRole('button', { name: '保存' }).click();
  await page.getByRole('radio', { name: new RegExp(String(port)) }).click();

  await openSection(page, '音色');
  const files = page.locator('input[type="file"]');
  await files.setInputFiles(wavFile('quiet.wav', new Float32Array(80_000)));
  await expect(page.getByRole('alert').filter({ hasText: '听不到人声' })).toBeVisible(patient);

  await page.getByRole('navigation').first().getByRole('button', { name: '聊天' }).click();
  const song = {
    name: 'song.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.from('ID3\u0004song song'),
  };
  await files.setInputFiles(song);
  const note = page.getByRole('status').getByText('song.mp3：这是另一种音频文件（MP3）');
  await expect(note).toBeVisible(patient);
  const message = page.getByRole('textbox', { name: '消息', exact: true });
  await message.fill('在吗？');
  await message.press('Enter');
  const answer = page.getByRole('article').last();
  await expect(answer).toContainText('没有程序在监听', patient);
  await expect(answer).not.toContainText(english);
});

function wavFile(name: string, samples: Float32Array) {
  const wav = encodeWav(samples, { rate: 16_000, channels: 1, coding: 'pcm16' });
  return { name, mimeType: 'audio/wav', buffer: Buffer.from(wav) };
}
