// A process for the test to kill: Parley receives a long chat answer and prints each piece.
import { openParley } from '../../../electron/app/parley.ts';
import { FakeLog } from '../../fakes/fake-log.ts';

export async function run(): Promise<void> {
  const parley = openParley('browser', '0', new FakeLog());
  parley.servers.settings.change({ privacy: { keepChats: true } });
  const text = Array.from({ length: 200 }, (_each, index) => `word${index}`).join(' ');
  parley.machine.notices.listen(({ name, payload }) => {
    if (name === 'chatPatch' && payload.kind === 'text') process.stdout.write(payload.text);
  });
  const { chat } = await parley.chats.opener.controller();
  chat.send([{ type: 'text', text: `Reply with exactly: ${text}` }]);
}
