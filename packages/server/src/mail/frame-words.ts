import type { Locale } from '@fairway/contract'

type FrameWords = {
  sentBy: (company: string, to: string) => string
  help: string
  terms: string
  privacy: string
  cannotOpen: string
}

/** The words around every letter. */
export const FRAME: Readonly<Record<Locale, FrameWords>> = {
  en: {
    sentBy: (company, to) => `${company} sent this letter to ${to}.`,
    help: 'Help',
    terms: 'Terms',
    privacy: 'Privacy',
    cannotOpen: 'If the button does not work, open this address:',
  },
  zhHant: {
    sentBy: (company, to) => `此信由\u2009${company}\u2009寄給\u2009${to}。`,
    help: '協助',
    terms: '條款',
    privacy: '隱私權',
    cannotOpen: '若按鈕無法使用，請開啟此網址：',
  },
  zhHans: {
    sentBy: (company, to) => `此邮件由\u2009${company}\u2009发送给\u2009${to}。`,
    help: '帮助',
    terms: '条款',
    privacy: '隐私',
    cannotOpen: '如果按钮无法使用，请打开此网址：',
  },
}

/** BCP 47. */
export const LANGUAGE: Readonly<Record<Locale, string>> = { en: 'en', zhHant: 'zh-Hant', zhHans: 'zh-Hans' }
