import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'payment-failed'> = ({ firstName, amount, reason, stopsOn }, { companyName }) => ({
  subject: `${companyName} 付款失败`,
  heading: '付款失败',
  lines: [
    `${firstName}，你好：`,
    '我们无法从你的信用卡扣款。请检查付款方式，以免站点受到限制。',
    ...(stopsOn
      ? [
          `账号已锁定。从 ${stopsOn} 起，你的站点和视频将停止服务；DNS 继续运行。付款后立即恢复；直播会保持关闭，请自行重新打开。`,
        ]
      : []),
  ],
  facts: [
    { label: '金额', value: amount },
    { label: '原因', value: reason },
  ],
  button: '检查付款方式',
})
