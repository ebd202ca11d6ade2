import { day, lasted, number, percent } from '../figures.ts'
import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

const UNITS = [' 天', ' 小時', ' 分鐘', ' 秒'] as const
const ms = (value: number) => `${number('zh-Hant', value, 1)} ms`

export const zhHant: LetterWriter<'weekly-report'> = (report, { companyName }) => {
  const { firstName, from, until, cdns, outages, moreOutages, changes, moreChanges } = report
  const week = `${day('zh-Hant', from)}至${day('zh-Hant', until)}`
  if (cdns.length === 0)
    return {
      subject: `${companyName} 上週沒有量測資料`,
      heading: '上週沒有量測資料',
      lines: [
        `${firstName}，你好：`,
        `${week}（UTC）期間，訪客和探測都沒有量測你的 CDN，因此沒有可報告的內容。`,
        '此情況只告知一次：有量測資料的一週結束後，才會再寄出下一封。',
      ],
      button: '查看量測',
      notes: NOTES,
    }
  return {
    subject: `你的 CDN：${week}`,
    heading: '上週你的 CDN',
    lines: [
      `${firstName}，你好：`,
      `以下是 ${week}（UTC）的量測結果。括號內的範圍有 95% 的把握包含真實值。`,
      outages.length === 0 ? '沒有 CDN 失效。' : '',
    ].filter(Boolean),
    facts: [
      ...cdns.map((cdn) => ({
        label: cdn.name,
        value: [
          `可用率 ${percent('zh-Hant', cdn.availability)}（${cdn.availabilityInterval.map((one) => percent('zh-Hant', one)).join('～')}）`,
          cdn.latency
            ? `延遲中位數 ${ms(cdn.latency.medianMs)}（${cdn.latency.interval.map(ms).join('～')}）`
            : '未測得延遲',
          cdn.source === 'rum'
            ? `訪客量測 ${number('zh-Hant', cdn.samples)} 次`
            : `探測 ${number('zh-Hant', cdn.samples)} 次，沒有訪客量測`,
          cdn.before
            ? `前一週 ${[percent('zh-Hant', cdn.before.availability), ...(cdn.before.medianMs === null ? [] : [ms(cdn.before.medianMs)])].join('、')}`
            : '前一週未量測',
        ].join('；'),
      })),
      ...outages.map(({ cdn, at, seconds, steered }) => ({
        label: `${cdn} 失效`,
        value: `${moment('zh-Hant', at)}，${seconds === null ? '仍在持續' : `持續 ${lasted(seconds, UNITS).join(' ')}`}；${
          steered === null
            ? '無法得知調度的作用'
            : steered.before === 0
              ? '當時沒有訪客被導向那裡'
              : `調度將其在 DNS 回應中的占比由 ${percent('zh-Hant', steered.before)} 降至 ${percent('zh-Hant', steered.during)}${
                  steered.by.length > 0
                    ? `，改由${steered.by.map((one) => ` ${one.cdn}（${percent('zh-Hant', one.percent)}）`).join('、')}回應`
                    : ''
                }`
        }`,
      })),
      ...(moreOutages > 0 ? [{ label: '其他失效', value: number('zh-Hant', moreOutages) }] : []),
      ...changes.map(({ title, site, author }) => ({ label: '變更', value: `${title}（${site}，${author}）` })),
      ...(moreChanges > 0 ? [{ label: '其他變更', value: number('zh-Hant', moreChanges) }] : []),
    ],
    button: '查看圖表',
    notes: NOTES,
  }
}

const NOTES = ['你可以在資訊中心選擇是否收到此信。']
