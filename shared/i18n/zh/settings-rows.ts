import type { PageMessages } from '../messages.ts';
import {
  chineseSettingsAssistant,
  chineseSettingsCursor,
  chineseSettingsEndpoints,
  chineseSettingsKeys,
  chineseSettingsTalking,
} from './settings-talk-rows.ts';

const chineseSettingsMemory: PageMessages['settings']['rows']['memory'] = {
  use: {
    name: '使用记忆',
    hint: '每次通话、聊天和快速提问都会带上下面启用的句子，无痕通话除外。',
    also: '记住 个人 隐私 关闭',
  },
  suggest: {
    name: '记忆建议',
    hint: '保留的通话或聊天结束后，由当时所用的服务器找出值得记住的事。要从通话中得到建议，请先启用“把你说的话转成文字”。',
    also: '自动 建议 学习',
  },
  past: {
    name: '引用历史',
    hint: '你的问题提到以前的通话或聊天时，把最相关的两段随问题一起发给服务器。',
    also: '上次 聊过 之前 说过 记得 搜索',
  },
  list: {
    name: 'Parley 对你的了解',
    hint: '超出可发送的长度时，只发送排在前面的句子。',
    also: '记住 忘记 个人 句子 删除 修改 排序',
  },
  write: {
    name: '告诉 Parley 一件事',
    hint: '写一个简短的句子。不要在这里写密码。',
    also: '记住 添加 新',
  },
};

const chineseSettingsTools: PageMessages['settings']['rows']['tools'] = {
  clock: {
    name: '时钟和计算器',
    hint: 'Parley 可以查看时间，并准确计算。',
    also: '工具 时间 日期 数学 计算',
  },
  reminders: {
    name: '提醒',
    hint: '例如“十分钟后提醒我给家里打电话”。Parley 运行时会弹出提醒。',
    also: '工具 定时 闹钟 通知 稍后',
  },
  reminderList: {
    name: '你的提醒',
    hint: 'Parley 会在这些时间提醒你。',
    also: '定时 闹钟 取消',
  },
  files: {
    name: '读取共享的文件',
    hint: 'Parley 只读你在这里共享的文件和文件夹。',
    also: '工具 文件夹 文档 打开 读取',
  },
  places: {
    name: '共享的文件和文件夹',
    hint: '工具读到的内容会发给回答问题的服务器。',
    also: '文件夹 路径 目录',
  },
  history: {
    name: '在历史中查找',
    hint: 'Parley 会在你保留的通话和聊天里查找你说过的话。',
    also: '工具 查找 以前 记得',
  },
  talks: {
    name: '通话中使用工具',
    hint: '在通话里说“提醒我……”“查一下……”或“计算……”，通话所用的服务器会在后台完成，不会中断通话。',
    also: '语音 请求 提醒 查 计算 mcp 函数',
  },
  servers: {
    name: '工具服务器',
    hint: '通过 MCP 提供工具的程序和服务。工具默认关闭，需要逐个打开。',
    also: '插件 扩展 连接',
  },
  addServers: {
    name: '添加工具服务器',
    hint: '粘贴其他助手使用的、带“mcpServers”的 JSON。程序会以你的权限运行。',
    also: '导入 配置 插件',
  },
  always: {
    name: '不再询问的工具',
    hint: '你选了“始终允许”的工具。',
    also: '权限 同意 批准 撤销',
  },
};

export const chineseSettingsRows: PageMessages['settings']['rows'] = {
  endpoints: chineseSettingsEndpoints,
  assistant: chineseSettingsAssistant,
  voices: {
    model: {
      name: '要模仿的音色',
      hint: '模型会先听这段录音，再模仿它说话。',
      also: '声音 参考音色 克隆 语言模型',
    },
    speech: {
      name: '合成语音的音色',
      hint: '合成回答的语音时使用，通常与“要模仿的音色”相同，不用单独设置。',
      also: '声音 说话 参考音色 克隆 语音合成',
    },
    list: {
      name: '你的音色',
      hint: '每个音色是一段 3 到 15 秒的单人说话录音。',
      also: '声音 试听 重命名 删除',
    },
    take: {
      name: '添加音色',
      hint: '在安静的地方读几句话，或选择一个 WAV 文件。请只使用你有权使用的声音。',
      also: '录音 录制声音 导入 文件 麦克风',
    },
  },
  audio: {
    microphone: {
      name: '麦克风',
      hint: 'Parley 用它听你说话。',
      also: '输入设备 耳机 话筒',
    },
    whileUnplugged: {
      name: '麦克风断开时',
      hint: '所选麦克风重新连接后会自动换回。改用系统麦克风时，通话中会提示。',
      also: '备用 拔掉 耳机 话筒 替代',
    },
    inputVolume: { name: '麦克风音量', hint: '调节你的声音大小。', also: '增益 音量 输入' },
    meter: {
      name: '测试麦克风',
      hint: '说句话：音量条应该会动，但不该顶到头。声音不会发送，也不会保存。',
      also: '电平 音量 测试 检查',
    },
    speaker: { name: '扬声器', hint: '播放 Parley 的声音。', also: '输出设备 耳机 喇叭' },
    echo: {
      name: '消除扬声器回声',
      hint: '从麦克风收到的声音里去掉 Parley 自己的声音，不戴耳机也能通话。',
      also: '回声消除 免提 外放 啸叫',
    },
    room: {
      name: '房间的声音',
      hint: '检查房间里有多少回声和噪声，Parley 能消除多少。',
      also: '房间 测试 回声 噪音 耳机 外放 检查',
    },
    playbackVolume: {
      name: '音量',
      hint: 'Parley 的音量，与系统音量叠加。',
      also: '响度 输出 大声 小声 调高 调低',
    },
    computerVolume: {
      name: '电脑的声音',
      hint: '打开“听电脑的声音”后，传给模型的电脑声音（视频、会议等）有多大。',
      also: '系统声音 内录 电影 视频 会议 音量',
    },
    noise: {
      name: '减弱环境噪声',
      hint: '减弱风扇、键盘和电流的声音，没人说话时效果最明显。旁边有人说话，Parley 仍会听到；人群的嘈杂声会变小。',
      also: '降噪 噪音抑制 背景音 风扇 键盘',
    },
    level: {
      name: '平稳音量',
      hint: '不论离麦克风远近，你的声音都保持相近的音量。轻度最多调整 9 dB，强力最多 18 dB。',
      also: '自动增益 音量平衡 响度 声音小 声音大',
    },
    chimes: {
      name: '排队提示音',
      hint: '排队有进展和轮到你时，轻轻响一声。',
      also: '声音 通知 队列',
    },
    test: {
      name: '测试扬声器和麦克风',
      hint: '播放一声短促的提示音，看麦克风能否收到，约需 4 秒。',
      also: '自检 回声 延迟 环回',
    },
    ownSound: {
      name: '听听自己的声音',
      hint: '说 5 秒，然后听一遍。录音只留在内存里，离开这一页就会删除。',
      also: '自检 录音 试听 前后 对比',
    },
  },
  vision: {
    slices: {
      name: '清晰度',
      hint: '清晰度越高，越能看清小字和远处，占用的上下文也越多。',
      also: '切片 分辨率 高清 图片 摄像头',
    },
    rate: {
      name: '每秒画面数',
      hint: '每秒最多发送的画面张数。对使用旧版协议的服务器，每段声音都要附带画面，没有新的就重发最近一张。',
      also: '帧率 摄像头',
    },
    budget: {
      name: '画面可用的上下文',
      hint: '往左聊得更久，往右看得更细。画面主要在你说话和有变化时发送，其余时间偶尔发送。',
      also: '预算 词元 上下文 长谈 细看 分钟 节省',
    },
    fewerWhenStill: {
      name: '画面静止时少发',
      hint: '画面不变时，Parley 沿用最近看到的画面，节省上下文。对旧版协议的服务器无效。',
      also: '静止 运动 节省',
    },
    camera: {
      name: '摄像头',
      hint: '通话时使用的摄像头。',
      also: '相机 设备',
    },
    mirror: {
      name: '镜像预览',
      hint: '像照镜子一样。Parley 看到的是原本的画面。',
      also: '左右 自拍',
    },
    flip: {
      name: '上下翻转预览',
      hint: '适合倒着安装的摄像头。Parley 看到的是原本的画面。',
      also: '垂直 旋转',
    },
  },
  talking: chineseSettingsTalking,
  keys: chineseSettingsKeys,
  cursor: chineseSettingsCursor,
  memory: chineseSettingsMemory,
  tools: chineseSettingsTools,
  captions: {
    size: { name: '字幕大小', hint: '整体的文字大小在“外观”里调整。', also: '字号 大字' },
    contrast: {
      name: '即将说出的字',
      hint: '还没说出的字有多醒目。',
      also: '对比度 透明度 浅 深 淡 醒目',
    },
  },
  appearance: {
    theme: { name: '主题', hint: '浅色、深色，或跟随系统。', also: '深色 浅色 暗色 颜色 模式' },
    textSize: {
      name: '文字大小',
      hint: '界面上的所有内容随之缩放。',
      also: '缩放 放大 字体 大字 无障碍',
    },
    language: {
      name: '语言',
      hint: '界面语言。你说什么语言，Parley 就用什么语言回答。',
      also: '中文 英文 翻译 English',
    },
  },
  desktop: {
    closing: {
      name: '关闭最后一个窗口时',
      hint: '默认：有托盘时留在托盘里，否则退出。没有托盘时，如果选了“继续运行”，关闭窗口只会最小化。',
      also: '关闭 退出 托盘 后台 最小化',
    },
    autostart: {
      name: '登录时启动',
      hint: '登录后待在托盘里，不显示窗口。你开始通话之前不会打开麦克风。',
      also: '开机启动 开机自启 自启动 登录 启动项',
    },
    links: {
      name: '用 Parley 打开 parley:// 链接',
      hint: '链接只能请求开始通话，由你确认。通过系统软件包安装时，可能已经设好。',
      also: '链接 网址 协议 默认程序 浏览器',
    },
    updates: {
      name: '更新',
      hint: '自动：在没有通话时下载，下次打开 Parley 时生效。',
      also: '更新 升级 自动 下载 检查更新',
    },
    trayClick: {
      name: '单击托盘图标',
      hint: '右键打开菜单。在有些桌面面板上，左右键都会打开菜单。',
      also: '托盘 图标 左键 通知区域 菜单栏',
    },
    trayDoubleClick: {
      name: '双击托盘图标',
      hint: '设置双击后，单击会稍有延迟。',
      also: '托盘 图标 双击',
    },
    trayPanel: {
      name: '托盘所在面板的颜色',
      hint: '选“跟随系统”而系统没有说明深浅时，图标会改用在浅色和深色面板上都看得清的颜色。',
      also: '托盘 图标 深色 浅色 任务栏',
    },
    notifyAnswer: {
      name: '回答写完时通知',
      hint: '你正在用其他程序时，聊天中的回答写完就提醒你。',
      also: '通知 提醒 横幅 回答 聊天',
    },
    notifyTurn: {
      name: '轮到你时通知',
      hint: '排队结束时提醒你。',
      also: '通知 提醒 横幅 排队',
    },
    notifyLimit: {
      name: '通话快结束时通知',
      hint: '时间或上下文只够再聊一分钟时提醒你。',
      also: '通知 提醒 横幅 时限 上下文',
    },
    notifyLost: {
      name: '通话中断时通知',
      hint: '服务器或网络中断通话时提醒你。',
      also: '通知 提醒 横幅 断线 错误',
    },
    notifyModel: {
      name: '模型下载完成时通知',
      hint: '下载停止时也会提醒你。',
      also: '通知 提醒 横幅 下载 模型 电脑',
    },
  },
  privacy: {
    keepTalks: {
      name: '保留通话的文字',
      hint: '说过的话和 Parley 看到的画面，可在“历史”中查看和搜索。',
      also: '历史 记录 字幕 存储 保存',
    },
    talkDays: {
      name: '通话文字保留多久',
      hint: '超过期限的内容先移出列表，一周后删除。置顶的通话一直保留。',
      also: '天数 过期 删除',
    },
    ownWords: {
      name: '把你说的话转成文字',
      hint: '你的声音会再次发送给同一台服务器，由它的模型转成文字。模型可能出错，你可以更正。',
      also: '听写 转写 转录 语音转文字 字幕',
    },
    keepChats: {
      name: '保留聊天',
      hint: '重新启动 Parley 后仍能看到。',
      also: '历史 聊天 存储 保存',
    },
    keepTapes: {
      name: '录制通话',
      hint: '你的声音和画面，以及 Parley 的回答，都会以文件形式保存在这台电脑上。',
      also: '录音 录制 存储 保存',
    },
    holdRecent: {
      name: '暂存最近两分钟',
      hint: '用于没有录制的通话，只暂存在内存里。可以用按钮、快捷键或托盘存为录制文件。',
      also: '录音 最近 缓存 保存 录制',
    },
    tapeDays: {
      name: '录制文件保留多久',
      hint: '超过期限的文件先移出列表，一周后删除。置顶通话的录制文件，以及用“保存最近两分钟”存下的录制文件，会一直保留。',
      also: '天数 过期 删除',
    },
    days: {
      name: '聊天保留多久',
      hint: '超过期限的内容先移出列表，一周后删除。置顶的聊天一直保留。',
      also: '天数 过期 删除',
    },
    kept: {
      name: '这台电脑上保留的内容',
      hint: '这些文件只保存在这台电脑上，不包括服务器保留的内容。',
      also: '存储 全部删除 清除 数据 文件夹 令牌',
    },
  },
  about: {
    versions: { name: '版本', hint: '当前运行的版本。', also: 'Electron Node 运行环境 更新' },
    libraries: { name: '原生组件', hint: '能否正常加载。', also: 'PortAudio sharp 检查' },
    licences: { name: '许可证', hint: 'Parley 使用的组件和它们的许可证。', also: '开源 授权协议' },
    log: {
      name: '日志',
      hint: '记录出过的问题，供报告问题时使用。不含你说过或写过的内容，也不含访问令牌。',
      also: 'log 文件夹 崩溃 错误',
    },
    diagnostics: {
      name: '复制诊断信息',
      hint: '用于报告问题的版本和设置：不含地址、访问令牌和你写的文字。',
      also: '错误 报告 支持 调试',
    },
  },
};
