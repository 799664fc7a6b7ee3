import type { PageMessages } from '../messages.ts';

export const chineseSettingsTools: PageMessages['settings']['rows']['tools'] = {
  clock: {
    name: '时钟和计算器',
    hint: 'Parley 可以看时间，也能算得准。',
    also: '工具 时间 日期 数学 计算',
  },
  reminders: {
    name: '提醒',
    hint: '“十分钟后提醒我给家里打电话。”Parley 运行时会弹出提醒。',
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
    name: '搜索历史',
    hint: 'Parley 会在你保留的通话和聊天里查找你说过的话。',
    also: '工具 查找 以前 记得',
  },
  talks: {
    name: '通话中使用工具',
    hint: '在通话里说“提醒我……”“查一下……”或“计算……”，同一台服务器会在后台去做，通话不停。',
    also: '语音 请求 提醒 查 计算 mcp 函数',
  },
  servers: {
    name: '工具服务器',
    hint: '通过 MCP 提供工具的程序和服务。每个工具都要你打开才会使用。',
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
