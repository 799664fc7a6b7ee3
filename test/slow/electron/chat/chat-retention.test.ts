import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { workFolder } from '../../../fakes/work-folder.ts';
import { daysLater, endCores, gatewayCore, say, untilAnswered } from '../talk/gateway-core.ts';

afterEach(endCores);

let folder: string;

const open = () => gatewayCore(folder);

beforeEach(() => {
  folder = workFolder()('state');
});

describe('kept chats', () => {
  it('are stored for as long as the setting says', async () => {
    const first = open();
    await first.ask('changeSettings', { privacy: { keepChats: true } });
    await first.ask('sendChat', say('Old'));
    await untilAnswered(first);
    await first.lifetime.end();
    const [old = ''] = readdirSync(`${folder}/chats`);

    daysLater(folder, 31);
    const later = open();
    expect((await later.ask('chat', undefined)).list).toEqual([]);
    await later.lifetime.end();
    expect(readdirSync(`${folder}/chats`)).toEqual([]);
    // Expired chats wait in the trash for a week.
    expect(readdirSync(`${folder}/trash/chats`)).toEqual([`33-${old}`]);
    expect(readdirSync(`${folder}/trash/chats/33-${old}`)).toContain('conversation.json');
    daysLater(folder, 39);
    const muchLater = open();
    await muchLater.ask('chat', undefined);
    await muchLater.lifetime.end();
    expect(readdirSync(`${folder}/trash/chats`)).toEqual([]);

    const unkept = open();
    await unkept.ask('chat', undefined);
    await unkept.ask('changeSettings', { privacy: { keepChats: false } });
    await unkept.ask('sendChat', say('Secret'));
    await untilAnswered(unkept);
    await unkept.lifetime.end();
    expect(readdirSync(`${folder}/chats`)).toEqual([]);
  });

  it('survive one start with the clock far ahead, as do tapes', async () => {
    const first = open();
    await first.ask('changeSettings', { privacy: { keepChats: true } });
    await first.ask('sendChat', say('Old'));
    await untilAnswered(first);
    first.begin();
    await first.lifetime.end();
    mkdirSync(`${folder}/tapes/2020-01-01`, { recursive: true });
    utimesSync(`${folder}/tapes/2020-01-01`, 1, 1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * 86_400_000 });
    const ahead = open();
    ahead.begin();
    expect((await ahead.ask('chat', undefined)).list).toHaveLength(1);
    expect(ahead.payloads('chatProblem')).toMatchObject([{ code: 'deletionPostponed' }]);
    await ahead.lifetime.end();
    expect([readdirSync(`${folder}/chats`).length, readdirSync(`${folder}/tapes`).length]).toEqual([
      1, 1,
    ]);
  });

  it('do not expire if they are pinned, but can be deleted with all others', async () => {
    const first = open();
    await first.ask('changeSettings', { privacy: { keepChats: true } });
    await first.ask('sendChat', say('Old'));
    await untilAnswered(first);
    const { id } = (await first.ask('chat', undefined)).conversation;
    await first.ask('pinChat', { id, pinned: true });
    await first.ask('beginChat', undefined);
    await first.ask('sendChat', say('Older'));
    await untilAnswered(first, 2);
    await first.lifetime.end();
    daysLater(folder, 400);
    const later = open();
    expect((await later.ask('chat', undefined)).list.map((chat) => chat.id)).toEqual([id]);
    const [chats] = await later.ask('storedData', undefined);
    expect(chats).toMatchObject({ kind: 'chats', count: 2 });
    const rest = await later.ask('deleteStoredData', { kind: 'chats' });
    expect(rest[0]).toMatchObject({ count: 0, bytes: 0 });
    expect(readdirSync(`${folder}/trash/chats`)).toEqual([]);
  });

  it('follow a setting that changed while they were being opened', async () => {
    const before = open();
    await before.ask('changeSettings', { privacy: { keepChats: true } });
    await before.lifetime.end();

    const after = open();
    const { ask } = after;
    const opening = ask('chat', undefined);
    await ask('changeSettings', { privacy: { keepChats: false }, chat: { system: 'Be brief.' } });
    await opening;
    expect((await ask('chat', undefined)).options.system).toBe('Be brief.');
    await ask('sendChat', say('Secret'));
    await untilAnswered(after);
    await after.lifetime.end();
    expect(existsSync(`${folder}/chats`)).toBe(false);
  });

  it('are listed and found by the history index, including changes by another Parley or by hand', async () => {
    const first = open();
    await first.ask('changeSettings', { privacy: { keepChats: true } });
    await first.ask('sendChat', say('The river rises in spring'));
    await untilAnswered(first);
    await first.lifetime.end();
    const [id = ''] = readdirSync(`${folder}/chats`);
    mkdirSync(`${folder}/chats/broken`);
    writeFileSync(`${folder}/chats/broken/conversation.json`, '{');

    const { ask, payloads } = open();
    expect((await ask('chat', undefined)).list.map((chat) => chat.id)).toEqual([id]);
    expect(await ask('searchChats', { query: 'RIV spring' })).toMatchObject([
      { id, excerpt: expect.stringContaining('river') as string },
    ]);
    expect(await ask('searchChats', { query: 'iver' })).toEqual([]);
    await vi.waitFor(() => {
      expect(payloads('chatProblem')).toMatchObject([{ code: 'chatDamaged' }]);
    });
    expect(readdirSync(`${folder}/damaged-chats`)).toEqual(['broken']);
    await ask('renameChat', { id, title: 'Water' });
    await vi.waitFor(async () => {
      expect(await ask('searchChats', { query: 'wat' })).toMatchObject([{ title: 'Water' }]);
    });
  });
});
