import { ChallengeMode, IntegrityCheck, SecurityLevel, botManagement } from '@fairway/contract'
import type { BotManagement } from '@fairway/contract'
import { Radio, Select, Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import { diffRows } from '../../ui/marks/diff-view.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import settings from '../general-settings/screen.module.css'
import { SettingRow } from '../general-settings/setting-row.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { BackTestPanel } from '../web-security/back-test-panel.tsx'
import { DraftEffect } from '../web-security/draft-effect.tsx'
import classes from './bot-management.module.css'
import { CrawlersCard } from './crawlers-card.tsx'
import { FrictionCard } from './friction-card.tsx'

/** Offered; another that was set over the API is shown as well. */
const CLEARANCES = [300, 900, 1800, 3600, 14_400, 86_400]

/** Level, challenge, check and crawlers of a domain, with what a change does to one request beside it. */
export function BotSettings({ place, saved }: { place: Place; saved: BotManagement }) {
  const { t } = useTranslation('bot-management')
  const [draft, setDraft] = useState<Partial<BotManagement>>({})
  const mayEdit = useCanCall(botManagement.routes.update)
  const value = { ...saved, ...draft }
  const set = (change: Partial<BotManagement>) => setDraft((before) => ({ ...before, ...change }))
  const save = useChange(botManagement.routes.update, { subject: null, onDone: () => setDraft({}) })
  const clearances = [...new Set([...CLEARANCES, value.clearanceSeconds])].toSorted((a, b) => a - b)
  const clearance = (seconds: number) => t('clearance', { count: Math.round(seconds / 60) })
  const changes = diffRows(
    saved,
    value,
    (field, one) =>
      field === 'clearanceSeconds'
        ? clearance(Number(one))
        : field === 'verifiedCrawlers'
          ? t(one === true ? 'on' : 'off')
          : t(`${WORDS[field] ?? 'level'}.${String(one)}`),
    (field) => t(`field.${field}`),
  )
  return (
    <>
      <div className={classes.columns}>
        <div className={settings.stack}>
          {save.error && <FailureNotice title={t('notSaved')} error={save.error} />}
          <Card title={t('field.securityLevel')} hint={t('why.securityLevel')}>
            <Radio.Group
              aria-label={t('field.securityLevel')}
              value={value.securityLevel}
              onChange={(next) => set({ securityLevel: SecurityLevel.parse(next) })}
            >
              <div className={classes.levels}>
                {SecurityLevel.options.map((level) => (
                  <Radio
                    key={level}
                    value={level}
                    label={t(`level.${level}`)}
                    description={t(`levelText.${level}`)}
                    disabled={!mayEdit}
                  />
                ))}
              </div>
            </Radio.Group>
          </Card>
          {value.securityLevel === 'under-attack' && (
            <Notice tone="warn" title={t('attackTitle')}>
              {t('attackText')}
            </Notice>
          )}
          <Card title={t('card.challenge')} flush>
            <ul className={settings.rows}>
              <SettingRow name={t('field.challengeMode')} why={t(`modeText.${value.challengeMode}`)}>
                <Select
                  className={settings.choice}
                  aria-label={t('field.challengeMode')}
                  data={ChallengeMode.options.map((mode) => ({ value: mode, label: t(`mode.${mode}`) }))}
                  value={value.challengeMode}
                  allowDeselect={false}
                  disabled={!mayEdit}
                  onChange={(next) => {
                    if (next) set({ challengeMode: ChallengeMode.parse(next) })
                  }}
                />
              </SettingRow>
              <SettingRow name={t('field.clearanceSeconds')} why={t('why.clearanceSeconds')}>
                <Select
                  className={settings.choice}
                  aria-label={t('field.clearanceSeconds')}
                  data={clearances.map((seconds) => ({ value: String(seconds), label: clearance(seconds) }))}
                  value={String(value.clearanceSeconds)}
                  allowDeselect={false}
                  disabled={!mayEdit}
                  onChange={(next) => {
                    if (next) set({ clearanceSeconds: Number(next) })
                  }}
                />
              </SettingRow>
            </ul>
          </Card>
          <Card title={t('card.browsers')} flush>
            <ul className={settings.rows}>
              <SettingRow name={t('field.integrityCheck')} why={t(`integrityText.${value.integrityCheck}`)}>
                <Segmented
                  label={t('field.integrityCheck')}
                  value={value.integrityCheck}
                  onChange={(integrityCheck) => set({ integrityCheck })}
                  options={IntegrityCheck.options.map((one) => ({
                    value: one,
                    label: t(`integrity.${one}`),
                    disabled: !mayEdit,
                  }))}
                />
              </SettingRow>
              <SettingRow name={t('field.verifiedCrawlers')} why={t('why.verifiedCrawlers')}>
                <Switch
                  checked={value.verifiedCrawlers}
                  disabled={!mayEdit}
                  onChange={({ currentTarget }) => set({ verifiedCrawlers: currentTarget.checked })}
                  aria-label={t('field.verifiedCrawlers')}
                />
              </SettingRow>
            </ul>
          </Card>
          <FrictionCard place={place} />
          <CrawlersCard place={place} />
        </div>
        <div className={settings.stack}>
          <DraftEffect place={place} draft={{ part: 'bot-management', settings: draft }} />
          <BackTestPanel place={place} change={changes.length > 0 ? { bots: draft } : null} />
        </div>
      </div>
      <SaveBar
        changes={changes}
        busy={save.isPending}
        onDiscard={() => {
          setDraft({})
          save.reset()
        }}
        onSave={() => save.mutate({ ...place, ...draft })}
      />
    </>
  )
}

/** Where the words for a choice stand. */
const WORDS: Readonly<Record<string, string>> = {
  securityLevel: 'level',
  challengeMode: 'mode',
  integrityCheck: 'integrity',
}
