import { addTranslation, setLanguage } from 'media-chrome/utils/i18n.js'
import { En } from 'media-chrome/lang/en.js'
import { ZhCn } from 'media-chrome/lang/zh-CN.js'
import { ZhTw } from 'media-chrome/lang/zh-TW.js'
import type { Language } from './options.ts'

/** What Media Chrome has no words for. */
export const WORDS: Record<Language, { player: string; refused: string; gone: string; failed: string }> = {
  en: {
    player: 'Video',
    refused: 'This video is for viewers who were let in. Open its page again.',
    gone: 'This video is not there, or not yet.',
    failed: 'The video cannot be played at the moment.',
  },
  'zh-Hant': {
    player: '影片',
    refused: '此影片只開放給獲准的觀眾。請重新開啟網頁。',
    gone: '此影片不存在，或尚未就緒。',
    failed: '目前無法播放此影片。',
  },
  'zh-Hans': {
    player: '视频',
    refused: '此视频只开放给获准的观众。请重新打开网页。',
    gone: '此视频不存在，或尚未就绪。',
    failed: '目前无法播放此视频。',
  },
}

const NAMES: Record<Language, string> = { en: 'en', 'zh-Hant': 'zh-TW', 'zh-Hans': 'zh-CN' }

/** Controls that are made from now on speak it; a page has one language. */
export function speak(language: Language): void {
  addTranslation('en', En)
  addTranslation('zh-TW', ZhTw)
  addTranslation('zh-CN', ZhCn)
  setLanguage(NAMES[language])
}
