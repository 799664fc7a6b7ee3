import type { englishUpdateErrors } from '../en/update-errors.ts';

export const chineseUpdateErrors: Readonly<Record<keyof typeof englishUpdateErrors, string>> = {
  updateServerAway: '无法连接 {{host}} 检查更新。请检查网络后重试。',
  updateServerRefuses: '更新服务器 {{host}} 返回错误 {{status}}，请稍后再试。',
  updateServerSlow: '更新服务器 {{host}} 太慢，Parley 稍后会再试。',
  updateRedirected: '更新服务器 {{host}} 指向了别的地址，Parley 不会跟过去。什么都没有改动。',
  updateUnsigned: '{{host}} 提供的更新信息没有 Parley 开发者的签名，已忽略，什么都没有改动。',
  updateFeedDamaged: '{{host}} 提供的更新信息无法读取，什么都没有改动。',
  updateFeedExpired: '更新服务器上的信息只在 {{date}} 之前有效。请检查这台电脑的日期，或稍后再试。',
  updateFeedOlder: '更新服务器给出的是 {{date}} 的旧信息，已忽略，请稍后再试。',
  updateFileMissing: 'Parley {{version}} 没有适合这台电脑或这种安装方式的文件。',
  updateCutShort: 'Parley {{version}} 的下载中断了，稍后会再试。',
  updateAltered: '下载到的 Parley {{version}} 与开发者签名的内容不符，已删除，什么都没有改动。',
  updateUnpackable: 'Parley {{version}} 无法解压，已删除，什么都没有改动。',
  updateNotStarting: 'Parley {{version}} 在这台电脑上无法启动，已删除，继续使用当前版本。',
  updateOtherVersion: '所谓的 Parley {{version}} 其实是 Parley {{found}}，已删除，什么都没有改动。',
  updatePlaceClosed:
    'Parley 不能写入“{{path}}”，所以无法在那里更新自己。请把它移到你自己的文件夹里。',
  updateNotSwapped: 'Parley {{version}} 无法安装到位，继续使用当前版本。',
  updatePreviousGone: '上一个版本已经不在了。',
};
