import { day, lasted, number, percent } from '../figures.ts'
import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

const UNITS = [' 天', ' 小时', ' 分钟', ' 秒'] as const
const ms = (value: number) => `${number('zh-Hans', value, 1)} ms`

export const zhHans: LetterWriter<'weekly-report'> = (report, { companyName }) => {
  const { firstName, from, until, cdns, outages, moreOutages, changes, moreChanges } = report
  const week = `${day('zh-Hans', from)}至${day('zh-Hans', until)}`
  if (cdns.length === 0)
    return {
      subject: `${companyName} 上周没有测量数据`,
      heading: '上周没有测量数据',
      lines: [
        `${firstName}，你好：`,
        `${week}（UTC）期间，访客和探测都没有测量你的 CDN，因此没有可报告的内容。`,
        '此情况只告知一次：有测量数据的一周结束后，才会再发送下一封。',
      ],
      button: '查看测量',
      notes: NOTES,
    }
  return {
    subject: `你的 CDN：${week}`,
    heading: '上周你的 CDN',
    lines: [
      `${firstName}，你好：`,
      `以下是 ${week}（UTC）的测量结果。括号内的范围有 95% 的把握包含真实值。`,
      outages.length === 0 ? '没有 CDN 失效。' : '',
    ].filter(Boolean),
    facts: [
      ...cdns.map((cdn) => ({
        label: cdn.name,
        value: [
          `可用率 ${percent('zh-Hans', cdn.availability)}（${cdn.availabilityInterval.map((one) => percent('zh-Hans', one)).join('～')}）`,
          cdn.latency
            ? `延迟中位数 ${ms(cdn.latency.medianMs)}（${cdn.latency.interval.map(ms).join('～')}）`
            : '未测得延迟',
          cdn.source === 'rum'
            ? `访客测量 ${number('zh-Hans', cdn.samples)} 次`
            : `探测 ${number('zh-Hans', cdn.samples)} 次，没有访客测量`,
          cdn.before
            ? `前一周 ${[percent('zh-Hans', cdn.before.availability), ...(cdn.before.medianMs === null ? [] : [ms(cdn.before.medianMs)])].join('、')}`
            : '前一周未测量',
        ].join('；'),
      })),
      ...outages.map(({ cdn, at, seconds, steered }) => ({
        label: `${cdn} 失效`,
        value: `${moment('zh-Hans', at)}，${seconds === null ? '仍在持续' : `持续 ${lasted(seconds, UNITS).join(' ')}`}；${
          steered === null
            ? '无法得知调度的作用'
            : steered.before === 0
              ? '当时没有访客被引导到那里'
              : `调度将其在 DNS 应答中的占比由 ${percent('zh-Hans', steered.before)} 降至 ${percent('zh-Hans', steered.during)}${
                  steered.by.length > 0
                    ? `，改由${steered.by.map((one) => ` ${one.cdn}（${percent('zh-Hans', one.percent)}）`).join('、')}应答`
                    : ''
                }`
        }`,
      })),
      ...(moreOutages > 0 ? [{ label: '其他失效', value: number('zh-Hans', moreOutages) }] : []),
      ...changes.map(({ title, site, author }) => ({ label: '更改', value: `${title}（${site}，${author}）` })),
      ...(moreChanges > 0 ? [{ label: '其他更改', value: number('zh-Hans', moreChanges) }] : []),
    ],
    button: '查看图表',
    notes: NOTES,
  }
}

const NOTES = ['你可以在信息中心选择是否接收此邮件。']
