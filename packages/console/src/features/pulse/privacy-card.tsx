import type { PulseSeen } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './pulse.module.css'

const SENT = ['timings', 'load', 'batch', 'origin', 'address'] as const
const NOT_SENT = ['cookie', 'page', 'person'] as const
const STORED = ['place', 'hash', 'figures', 'days'] as const

/** In plain words what leaves a visitor's browser and what is kept of it, with the newest real example. */
export function PrivacyCard({ live }: { live: PulseSeen | null }) {
  const { t } = useTranslation('pulse')
  const latest = live?.latest ?? null
  return (
    <Card title={t('privacy.title')} hint={t('privacy.hint')}>
      <div className={classes.three}>
        <List title={t('privacy.sent.title')} items={SENT.map((key) => t(`privacy.sent.${key}`))} />
        <List title={t('privacy.not.title')} items={NOT_SENT.map((key) => t(`privacy.not.${key}`))} />
        <List title={t('privacy.stored.title')} items={STORED.map((key) => t(`privacy.stored.${key}`))} />
      </div>
      {latest !== null && (
        <div className={classes.example}>
          <CodeSnippet label={t('privacy.exampleSent')} code={pretty(latest.sent)} />
          <CodeSnippet label={t('privacy.exampleStored')} code={latest.stored.slice(0, 2).map(rowText).join('\n\n')} />
        </div>
      )}
    </Card>
  )
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <section className={classes.words} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  )
}

function pretty(text: string): string {
  try {
    const { s, ...head } = JSON.parse(text) as { s: unknown[] }
    return `${JSON.stringify(head).slice(0, -1)},\n "s":[\n  ${s.map((one) => JSON.stringify(one)).join(',\n  ')}\n ]}`
  } catch {
    return text
  }
}

const rowText = (row: Record<string, unknown>): string =>
  Object.entries(row)
    .filter(([name]) => name !== 'organization')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
