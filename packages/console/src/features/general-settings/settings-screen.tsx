import { domains, SettingsInput } from '@fairway/contract'
import type { Domain, DomainSettings } from '@fairway/contract'
import { Switch, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { validationText } from '../../i18n/validation.ts'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { diffRows } from '../../ui/marks/diff-view.tsx'
import { DeliveryCard } from './delivery-card.tsx'
import { HstsRows } from './hsts-rows.tsx'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { ShieldCard } from './shield-card.tsx'

/** How the CDNs of a domain deliver it. */
export function GeneralSettingsScreen() {
  return (
    <SettingsFrame tab="delivery">{(domain) => <DeliverySettings key={domain.id} domain={domain} />}</SettingsFrame>
  )
}

/** Where the words for a choice stand. */
const CHOICES: Readonly<Record<string, string>> = { originShield: 'shield', hsts: 'hsts', hstsSeconds: 'hstsSeconds' }
const SECURITY = ['alwaysHttps', 'http2', 'http3', 'ocspStapling'] as const
const CACHING = ['ignoreQuery', 'tieredCache'] as const
const PROTOCOL = ['websocket', 'earlyHints'] as const
/** Where no node of the installation speaks HTTP/3 there is nothing to switch on; what is on can be switched off. */
const OVER_HTTP3: ReadonlySet<string> = new Set(['http3', 'earlyHints'])
const MEASURED = ['networkErrors'] as const
type Switched = (typeof SECURITY | typeof CACHING | typeof PROTOCOL | typeof MEASURED)[number]

function DeliverySettings({ domain }: { domain: Domain }) {
  const { t } = useTranslation(['general-settings', 'validation'])
  const format = useFormat()
  const [draft, setDraft] = useState<Partial<DomainSettings>>({})
  const mayEdit = useCanCall(domains.routes.update)
  const { plan } = useAccount()
  const settings = { ...domain.settings, ...draft }
  const set = (change: Partial<DomainSettings>) => setDraft((before) => ({ ...before, ...change }))
  const save = useChange(domains.routes.update, { subject: null, onDone: () => setDraft({}) })
  const place = { site: domain.siteId, domain: domain.id }
  const tagsChecked = SettingsInput.safeParse({ tags: settings.tags })
  const shown = (field: string, value: unknown) =>
    typeof value === 'boolean'
      ? t(value ? 'on' : 'off')
      : Array.isArray(value)
        ? format.list(value)
        : t(`${CHOICES[field] ?? 'compression'}.${String(value)}`, { defaultValue: String(value) })
  const changes = diffRows(domain.settings, settings, shown, (field) => t(`field.${field}`))
  const lacks = (name: Switched) => name === 'websocket' && !plan.ability.includes('zone.websocket')
  const lacksNodes = (name: Switched) => OVER_HTTP3.has(name) && !domain.http3Offered
  const isShown = (name: Switched) => !lacksNodes(name) || domain.settings[name]
  const row = (name: Switched) => (
    <SettingRow
      key={name}
      name={t(`field.${name}`)}
      why={t(`why.${name}`)}
      {...(lacks(name) || lacksNodes(name)
        ? { beside: <Pill tone="neutral">{t(lacks(name) ? 'notInPlan' : 'notOffered')}</Pill> }
        : {})}
    >
      <Switch
        checked={settings[name]}
        disabled={!mayEdit || (lacks(name) && !settings[name])}
        onChange={({ currentTarget }) => set({ [name]: currentTarget.checked })}
        aria-label={t(`field.${name}`)}
      />
    </SettingRow>
  )
  return (
    <>
      <div className={classes.columns}>
        <div className={classes.stack}>
          {save.error && <FailureNotice title={t('notSaved')} error={save.error} />}
          <Card title={t('card.security')} flush>
            <ul className={classes.rows}>
              {SECURITY.filter(isShown).map(row)}
              <HstsRows value={settings} mayEdit={mayEdit} onChange={set} />
            </ul>
          </Card>
          <Card title={t('card.speed')} flush>
            <ul className={classes.rows}>
              <SettingRow name={t('field.compression')} why={t('why.compression')}>
                <Segmented
                  label={t('field.compression')}
                  value={settings.compression}
                  onChange={(compression) => set({ compression })}
                  options={(['off', 'gzip', 'brotli'] as const).map((value) => ({
                    value,
                    label: t(`compression.${value}`),
                    disabled: !mayEdit,
                  }))}
                />
              </SettingRow>
              {PROTOCOL.filter(isShown).map(row)}
              <SettingRow name={t('field.largestRequest')} why={t('why.largestRequest')}>
                <span>{format.bytes(domain.largestRequestMb * 1_000_000)}</span>
              </SettingRow>
            </ul>
          </Card>
          <ShieldCard
            domain={domain}
            value={settings.originShield}
            mayEdit={mayEdit}
            onChange={(originShield) => set({ originShield })}
          />
          <Card title={t('card.cache')} flush>
            <ul className={classes.rows}>{CACHING.map(row)}</ul>
          </Card>
          <Card title={t('card.measurement')} flush>
            <ul className={classes.rows}>{MEASURED.map(row)}</ul>
          </Card>
          <Card title={t('card.tags')}>
            <TagsInput
              label={t('field.tags')}
              description={t('why.tags')}
              value={settings.tags}
              onChange={(tags) => set({ tags })}
              maxTags={20}
              disabled={!mayEdit}
              clearable
              splitChars={[',', ';']}
              error={tagsChecked.success ? null : validationText(t, tagsChecked.error.issues[0]?.message)}
            />
          </Card>
        </div>
        <DeliveryCard narrow input={{ ...place, settings: draft }} />
      </div>
      <SaveBar
        changes={changes}
        busy={save.isPending}
        onDiscard={() => {
          setDraft({})
          save.reset()
        }}
        onSave={() => {
          if (tagsChecked.success) save.mutate({ ...place, settings: draft })
        }}
      />
    </>
  )
}
