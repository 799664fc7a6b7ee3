import type { PageMessages } from '../messages.ts';

export const chineseReport: PageMessages['report'] = {
  action: '报告问题…',
  title: '报告问题',
  making: '正在整理…',
  why: '这里会生成一个文件，交给排查问题的人。不会发送任何内容。',
  talk: '其中包含 {{when}} 的通话。',
  inside: '文字已遮盖，声音换成噪声，画面已模糊，名称已去除。',
  unrecorded: '这次通话没有录音，其中只有基本信息和日志。',
  recent: '最近两分钟还在内存里。留下后会多出一段录音，文字遮盖、声音换成噪声之后放进报告。',
  addRecent: '留下最近两分钟',
  untaped: '其中没有通话录音，只有基本信息和日志。',
  files: '里面有什么',
  file: '{{name}}，{{size}}',
  look: '{{name}} 的内容',
  cancel: '取消',
  save: '保存…',
  unsent: '没有发送任何内容。',
  done: '完成',
};
