import type { Messages } from '../messages.ts';
import { chineseWhyBasics } from './why.ts';
import { chineseWhyChat } from './why-chat.ts';
import { chineseWhyServers } from './why-servers.ts';

const asIfAsked = '服务器按“你要求结束”处理并结束了对话。如果不是你要求的，请重新开始。';

export const chineseReasons: Messages['reasons'] = {
  said: '服务器说明：{{said}}',
  andThen: '{{first}}{{next}}',
  endings: {
    timeout: '本次会话已达到时间上限。开始新的会话就能继续。',
    context_full: '模型在本次会话中的记忆已满。开始新的会话就能继续。',
    backend_error: '服务器背后的模型出错了。请重新开始；如果再次发生，请告诉服务器的管理者。',
    server_shutdown: '服务器即将停止。请过几分钟再试。',
    error: '服务器遇到无法恢复的错误，结束了会话。请重新开始。',
    user_stop: asIfAsked,
    stopped: asIfAsked,
    client_closed: asIfAsked,
    queue_full: '服务器的队列满了。请过几分钟再试。',
    worker_busy: '服务器的处理单元都在忙。请稍后再试。',
    service_unavailable: '服务器还没有准备好。请一分钟后再试。',
    worker_connect_failed: '服务器连不上它的处理单元。请稍后再试。',
    session_failed: '服务器无法建立或保持会话。请再试一次；如果再次发生，请告诉服务器的管理者。',
    connection_lost: '连接断开了。请检查网络，然后重新开始。',
    closed: '服务器关闭了连接，没有说明原因。请重新开始。',
    server_error: '服务器出错了。请重新开始。',
    unreadable: '服务器读不懂 Parley 发送的内容。这是 Parley 或服务器的错误，请反馈。',
    policy: '服务器不允许这样做。请检查这个服务器的访问令牌。',
    too_large: '有一条消息对服务器来说太大了。请发送较小的图片或较短的片段。',
    silent: '服务器接受了连接，却一直没有回应。请确认地址指向实时服务器。',
    not_created: '服务器放行了，却没有建立会话。请一分钟后再试。',
    settings: '服务器不接受本次会话的设置。请检查提示词、声音和协议方言。',
    stalled: '服务器不再回应。请重新开始。',
    unreachable: '连不上服务器。请检查地址和网络。',
    no_chat_in_legacy: '旧版协议没有文字聊天。请选择统一协议，或者让 Parley 自动识别。',
  },
  otherEnding: '会话结束了（{{reason}}）。请重新开始；如果再次发生，请告诉服务器的管理者。',
  refused: {
    unknown: '服务器需要确认你的身份（{{status}}）。请检查这个服务器的访问令牌。',
    forbidden: '服务器不让你进入（{{status}}）。请检查访问令牌，并确认服务器提供这种模式。',
    missing: '这个地址上没有实时服务器（{{status}}）。请检查地址。',
    often: '你向服务器发出的请求太多了（{{status}}）。请等一分钟再试。',
    failing: '服务器现在无法接受连接（{{status}}）。请一分钟后再试。',
    other: '服务器拒绝了连接（{{status}}）。请检查这个服务器的地址。',
  },
  why: { ...chineseWhyBasics, ...chineseWhyServers, ...chineseWhyChat },
  troubles: {
    malformed: '服务器发来了 Parley 读不懂的内容，对话会继续。',
    server: '服务器报告了一个错误，对话会继续。',
  },
};
