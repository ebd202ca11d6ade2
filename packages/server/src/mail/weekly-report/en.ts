import { day, lasted, number, percent } from '../figures.ts'
import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

const UNITS = [' d', ' h', ' min', ' s'] as const
const ms = (value: number) => `${number('en', value, 1)} ms`

export const en: LetterWriter<'weekly-report'> = (report, { companyName }) => {
  const { firstName, from, until, cdns, outages, moreOutages, changes, moreChanges } = report
  const week = `${day('en', from)} to ${day('en', until)}`
  if (cdns.length === 0)
    return {
      subject: `Nothing was measured last week at ${companyName}`,
      heading: 'Nothing was measured last week',
      lines: [
        `Hello ${firstName},`,
        `from ${week} (UTC) neither visitors nor probes measured a CDN of yours, so there is nothing to report.`,
        'This is said once: the next letter comes after a week in which something was measured.',
      ],
      button: 'Look at the measurements',
      notes: NOTES,
    }
  return {
    subject: `Your CDNs from ${week}`,
    heading: 'Your CDNs last week',
    lines: [
      `Hello ${firstName},`,
      `this is what was measured from ${week} (UTC). Ranges in brackets hold the true value with 95 % confidence.`,
      outages.length === 0 ? 'No CDN failed.' : '',
    ].filter(Boolean),
    facts: [
      ...cdns.map((cdn) => ({
        label: cdn.name,
        value: [
          `${percent('en', cdn.availability)} available (${cdn.availabilityInterval.map((one) => percent('en', one)).join(' to ')})`,
          cdn.latency
            ? `${ms(cdn.latency.medianMs)} median latency (${cdn.latency.interval.map(ms).join(' to ')})`
            : 'latency not measured',
          `${number('en', cdn.samples)} ${cdn.source === 'rum' ? 'measurements of visitors' : 'probes, no visitors'}`,
          cdn.before
            ? `the week before ${[percent('en', cdn.before.availability), ...(cdn.before.medianMs === null ? [] : [ms(cdn.before.medianMs)])].join(', ')}`
            : 'not measured the week before',
        ].join('; '),
      })),
      ...outages.map(({ cdn, at, seconds, steered }) => ({
        label: `${cdn} was down`,
        value: `${moment('en', at)}, ${seconds === null ? 'still going on' : `for ${lasted(seconds, UNITS).join(' ')}`}; ${
          steered === null
            ? 'what steering did is not known'
            : steered.before === 0
              ? 'no visitor was being sent there'
              : `steering took its share of DNS answers from ${percent('en', steered.before)} to ${percent('en', steered.during)}${
                  steered.by.length > 0
                    ? `, answered by ${steered.by.map((one) => `${one.cdn} (${percent('en', one.percent)})`).join(', ')}`
                    : ''
                }`
        }`,
      })),
      ...(moreOutages > 0 ? [{ label: 'More failures', value: number('en', moreOutages) }] : []),
      ...changes.map(({ title, site, author }) => ({ label: 'Changed', value: `${title} (${site}, ${author})` })),
      ...(moreChanges > 0 ? [{ label: 'More changes', value: number('en', moreChanges) }] : []),
    ],
    button: 'Look at the charts',
    notes: NOTES,
  }
}

const NOTES = ['You choose in the information center whether this letter comes.']
