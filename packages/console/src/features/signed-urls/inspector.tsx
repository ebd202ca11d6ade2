import { InspectedUrl, type InspectedCheck, type InspectedToken, signedUrls } from '@fairway/contract'
import { Skeleton, TextInput, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './signed-urls.module.css'

const TYPING_MS = 300
type Draft = { url: string; address: string; country: string; referrer: string; at: string }
const NONE: Draft = { url: '', address: '', country: '', referrer: '', at: '' }
const TONES: Record<InspectedCheck['state'], Tone> = { passed: 'ok', failed: 'bad', skipped: 'neutral' }

/** An address goes in; out comes every check that the edge would make, by the code that runs there. */
export function Inspector() {
  const { t } = useTranslation('signed-urls')
  const [draft, setDraft] = useState<Draft>(NONE)
  const set = (name: keyof Draft) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setDraft((old) => ({ ...old, [name]: value }))
  }
  return (
    <Card title={t('inspect.title')}>
      <div className={classes.page}>
        <p className={classes.quiet}>{t('inspect.text')}</p>
        <Textarea
          label={t('inspect.url')}
          placeholder="http://…/master.m3u8?token=…"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={4_000}
          spellCheck={false}
          classNames={{ input: classes.mono }}
          value={draft.url}
          onChange={set('url')}
        />
        <div className={classes.fields}>
          <TextInput
            label={t('inspect.address')}
            placeholder="203.0.113.9"
            maxLength={45}
            value={draft.address}
            onChange={set('address')}
          />
          <TextInput
            label={t('inspect.country')}
            placeholder="TW"
            maxLength={2}
            value={draft.country}
            onChange={({ currentTarget: { value } }) => setDraft((old) => ({ ...old, country: value.toUpperCase() }))}
          />
          <TextInput
            label={t('inspect.referrer')}
            placeholder="https://www.example.com/"
            maxLength={2_000}
            value={draft.referrer}
            onChange={set('referrer')}
          />
          <TextInput label={t('inspect.at')} type="datetime-local" value={draft.at} onChange={set('at')} />
        </div>
        <Outcome draft={draft} />
      </div>
    </Card>
  )
}

/** Fields that are left empty are unknown to the edge. */
function inputOf({ at, ...draft }: Draft): InspectedUrl | undefined {
  const time = at === '' ? Number.NaN : new Date(at).getTime()
  const filled = Object.fromEntries(Object.entries(draft).filter(([, value]) => value.trim() !== ''))
  const read = InspectedUrl.safeParse({
    ...filled,
    ...(Number.isFinite(time) ? { at: new Date(time).toISOString() } : {}),
  })
  return read.success ? read.data : undefined
}

function Outcome({ draft }: { draft: Draft }) {
  const { t } = useTranslation('signed-urls')
  const [settled] = useDebouncedValue(draft, TYPING_MS)
  const input = inputOf(settled)
  const { data, error, refetch } = useRead(signedUrls.routes.inspect, input ?? { url: 'http://x/' }, {
    enabled: input !== undefined,
  })
  if (settled.url.trim() === '') return null
  if (!input) return <p className={classes.quiet}>{t('inspect.incomplete')}</p>
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={320} radius="md" />
  return <Verdict of={data} />
}

function Verdict({ of }: { of: InspectedToken }) {
  const { t } = useTranslation('signed-urls')
  const { refusal, keyId } = of
  return (
    <section className={classes.page} aria-label={t('inspect.outcome')} aria-live="polite">
      <div className={classes.line}>
        <Pill tone={refusal === null ? 'ok' : 'bad'}>{t(refusal === null ? 'inspect.plays' : 'inspect.refused')}</Pill>
        {refusal !== null && <span>{t(`why.${refusal}`)}</span>}
      </div>
      {!of.on && of.kind !== 'cloudfront' && <Notice tone="info">{t('inspect.signingOff')}</Notice>}
      {!of.isOwnHost && <Notice tone="warn">{t('inspect.otherHost')}</Notice>}
      {of.kind === 'cloudfront' && <Notice tone="info">{t('inspect.cloudfront')}</Notice>}
      {of.kind === 'path-token' && refusal === null && keyId === '' && (
        <Notice tone="info">{t('inspect.preview')}</Notice>
      )}
      <ol className={classes.checks}>
        {of.checks.map((check) => (
          <Check key={check.check} of={check} />
        ))}
      </ol>
      {of.claims && <Claims of={of.claims} keyId={keyId} />}
    </section>
  )
}

function Check({ of: { check, state, found, wanted } }: { of: InspectedCheck }) {
  const { t } = useTranslation('signed-urls')
  const format = useFormat()
  const isTime = check === 'expired' || check === 'not-yet-valid' || check === 'path-token-expired'
  const said = (text: string) => (isTime && text !== '' ? format.dateTime(Number(text) * 1000) : text)
  const words = [
    found === '' ? '' : t('inspect.found', { value: said(found) }),
    wanted === '' ? '' : t('inspect.wanted', { value: said(wanted) }),
  ].filter((word) => word !== '')
  return (
    <li className={classes.check} data-state={state}>
      <span>
        {t(`check.${check}`)}
        {words.length > 0 && <span className={classes.detail}>{words.join(' · ')}</span>}
      </span>
      <Pill tone={TONES[state]}>{t(`state.${state}`)}</Pill>
    </li>
  )
}

function Claims({ of, keyId }: { of: NonNullable<InspectedToken['claims']>; keyId: string }) {
  const { t } = useTranslation('signed-urls')
  const format = useFormat()
  const facts: [string, string][] = [
    [t('keyId'), keyId],
    [t('claim.host'), of.host],
    [t('claim.path'), of.path],
    [t('claim.expires'), format.dateTime(Date.parse(of.expiresAt))],
    [t('claim.notBefore'), of.notBefore === null ? t('claim.any') : format.dateTime(Date.parse(of.notBefore))],
    [t('claim.countries'), of.countries.map((country) => format.country(country)).join(', ') || t('claim.any')],
    [t('claim.addresses'), of.addresses.join(', ') || t('claim.any')],
    [t('claim.referrers'), of.referrers.join(', ') || t('claim.any')],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
