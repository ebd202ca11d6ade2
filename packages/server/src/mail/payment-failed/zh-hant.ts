import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'payment-failed'> = ({ firstName, amount, reason, stopsOn }, { companyName }) => ({
  subject: `${companyName} 付款失敗`,
  heading: '付款失敗',
  lines: [
    `${firstName}，你好：`,
    '我們無法從你的信用卡扣款。請檢查付款方式，以免網站受到限制。',
    ...(stopsOn
      ? [
          `帳號已鎖定。從 ${stopsOn} 起，你的網站和影片將停止服務；DNS 繼續運作。付款後立即恢復；直播會保持關閉，請自行重新開啟。`,
        ]
      : []),
  ],
  facts: [
    { label: '金額', value: amount },
    { label: '原因', value: reason },
  ],
  button: '檢查付款方式',
})
