import type { LocalText, Meter } from '@fairway/contract'

/** Between Chinese and Latin stands a thin space. */
const SPACE = '\u2009'

export const METER_NAMES: Readonly<Record<Meter, LocalText>> = {
  dnsQuery: { en: 'DNS queries', zhHant: `DNS${SPACE}查詢`, zhHans: `DNS${SPACE}查询` },
  chinaDnsQuery: {
    en: 'DNS queries from China',
    zhHant: `中國大陸的${SPACE}DNS${SPACE}查詢`,
    zhHans: `中国大陆的${SPACE}DNS${SPACE}查询`,
  },
  cdnTraffic: { en: 'CDN traffic', zhHant: `CDN${SPACE}流量`, zhHans: `CDN${SPACE}流量` },
  cdnRequest: { en: 'CDN requests', zhHant: `CDN${SPACE}請求`, zhHans: `CDN${SPACE}请求` },
  streamView: { en: 'Stream views', zhHant: '影片觀看次數', zhHans: '视频观看次数' },
  liveMinute: { en: 'Minutes of live streams', zhHant: '直播分鐘數', zhHans: '直播分钟数' },
  encodedMinute: { en: 'Minutes encoded', zhHant: '編碼分鐘數', zhHans: '编码分钟数' },
  storedMinute: { en: 'Minutes stored, day by day', zhHant: '儲存分鐘數（逐日計）', zhHans: '存储分钟数（按日计）' },
}

export const planName = (name: string): LocalText => ({
  en: `${name} plan`,
  zhHant: `${name}${SPACE}方案`,
  zhHans: `${name}${SPACE}套餐`,
})

export const unusedName = (of: LocalText): LocalText => ({
  en: `Unused part of ${of.en}`,
  zhHant: `未使用的部分：${of.zhHant}`,
  zhHans: `未使用的部分：${of.zhHans}`,
})
