import type { PageMessages } from '../messages.ts';

export const chineseSettingsTalking: PageMessages['settings']['rows']['talking'] = {
  mode: {
    name: '说话方式',
    hint: '一直开着麦克风，或由按键决定。',
    also: '按键说话 按住 点按 开放麦克风',
  },
  key: {
    name: '说话键',
    hint: '窗口在前台时有效。',
    also: '按键说话 快捷键 热键 空格',
  },
  everywhere: {
    name: '在所有程序里都有效的按键',
    hint: '在别处工作时也能说话。只识别这一个键，其他按键不保存、不发送。',
    also: '全局 热键 后台 其他程序 按键说话',
  },
  globalKey: {
    name: '全局说话键',
    hint: '用法与说话键相同，也可以是同一个键。',
    also: '全局 热键 全局快捷键 按键说话',
  },
  globalTest: {
    name: '在其他程序里能收到吗？',
    hint: '开始测试，切到别的程序，在那里按下这个键。',
    also: '测试 全局 热键 检查 自检',
  },
  sounds: {
    name: '麦克风提示音',
    hint: '按键打开麦克风时轻响一声，关闭时再响一声。',
    also: '声音 提示 打开 关闭',
  },
  startMuted: {
    name: '开始时静音',
    hint: '用于一直开着麦克风的方式。用说话键时，不按键本来就不会发送声音。',
    also: '静音 开始 隐私 麦克风关闭 托盘',
  },
  arrives: {
    name: '按键收到了吗？',
    hint: '现在按一下：Parley 收到按键期间，这里会亮起。',
    also: '测试按键 检查',
  },
  overlap: {
    name: '听到“嗯”也接着说',
    hint: '你短短应一声时，回答只会轻一下，不会停。',
    also: '重叠 附和 插话 压低',
  },
  shortMs: { name: '多短算短', hint: '不超过这个长度的声音算作“嗯”。', also: '重叠 长度 毫秒' },
  longTalks: {
    name: '会话时间用完时',
    hint: '服务器几分钟后会结束会话。新的会话会得知 Parley 说过的话。',
    also: '限制 分钟 上下文 交接 继续 长时间',
  },
  answers: {
    name: '回答开始得多快',
    hint: '服务器较慢时：尽快开始会有短暂停顿，最流畅则要多等一会儿。',
    also: '延迟 卡顿 缓冲 快 流畅',
  },
  yielding: {
    name: '模型让出话语时静音',
    hint: '模型说到一半决定倾听时，是否立刻停下声音。',
    also: '让步 打断 停止 倾听',
  },
};
