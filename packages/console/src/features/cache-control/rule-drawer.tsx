import { cacheRules, checkCachePath, EXPIRY_UNITS, ExpiryUnit } from '@fairway/contract'
import type { CacheRule, PathType } from '@fairway/contract'
import { expirySeconds, isPlainExpiry, isStaticPath } from '@fairway/domain'
import { Button, NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { useAccount } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { DeliveryCard } from '../general-settings/delivery-card.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { PathFields } from './path-fields.tsx'
import classes from './screen.module.css'

type RuleDrawerProps = { place: Place; /** Null makes a new one. */ rule: CacheRule | null; onClose: () => void }

/** A rule, and what each CDN would make of it, before it is saved. */
export function RuleDrawer({ place, rule, onClose }: RuleDrawerProps) {
  const { t } = useTranslation(['cache-control', 'validation'])
  const { plan } = useAccount()
  const [type, setType] = useState<PathType>('directory')
  const [path, setPath] = useState('')
  const [expiry, setExpiry] = useState(rule?.expiry ?? { value: 1, unit: 'day' as ExpiryUnit })
  const [honorOrigin, setHonorOrigin] = useState(rule?.honorOrigin ?? plan.ability.includes('cache.honorOrigin'))
  const [everything, setEverything] = useState(rule?.everything ?? true)
  const [touched, setTouched] = useState(false)
  const create = useChange(cacheRules.routes.create, { subject: null, onDone: onClose })
  const update = useChange(cacheRules.routes.update, { subject: null, onDone: onClose })
  const failure = create.error ?? update.error
  const found = failure instanceof ApiError ? failure.fields : []
  const pathWrong = rule ? null : path === '' ? 'validation.required' : checkCachePath(type, path)
  const { max } = EXPIRY_UNITS[expiry.unit]
  const expiryWrong =
    expiry.value >= 1 && expiry.value <= max && Number.isInteger(expiry.value)
      ? null
      : validationText(t, `validation.between:1:${max}`)
  const needsPlan =
    (!isPlainExpiry(expirySeconds(expiry)) || type === 'pattern') && !plan.ability.includes('cache.advancedRules')
  const isDefault = rule?.type === 'default'
  // Files of one ending are rarely somebody's; whatever lies below a path may be.
  const isBroad = !isDefault && (rule?.type ?? type) !== 'extension'
  const isOfFiles = !isDefault && !isBroad && isStaticPath(rule?.path ?? path)
  const save = () => {
    setTouched(true)
    if (pathWrong !== null || expiryWrong !== null) return
    if (rule) update.mutate({ ...place, id: rule.id, expiry, honorOrigin, ...(isDefault ? { everything } : {}) })
    else create.mutate({ ...place, type, path, expiry, honorOrigin })
  }
  const isGood = pathWrong === null && expiryWrong === null
  const draft =
    rule?.type === 'default'
      ? { cacheTtlSeconds: expirySeconds(expiry), cacheEverything: everything }
      : { cacheRules: [{ type: rule?.type ?? type, path: rule?.path ?? path, expiry, honorOrigin }] }
  return (
    <SideDrawer
      opened
      onClose={onClose}
      size={720}
      keepOpen={touched || path !== ''}
      onSubmit={save}
      title={
        rule
          ? t('rule.editTitle', { path: rule.type === 'default' ? t('rule.everythingElse') : rule.path })
          : t('rule.addTitle')
      }
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {t(rule ? 'save' : 'rule.add')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {failure && found.length === 0 && <FailureNotice title={t('notSaved')} error={failure} />}
        {!rule && (
          <PathFields
            type={type}
            path={path}
            onType={setType}
            onPath={setPath}
            advanced={plan.ability.includes('cache.advancedRules')}
            error={
              touched || found.length > 0
                ? validationText(t, found.find((one) => one.path === 'path')?.message ?? pathWrong ?? undefined)
                : null
            }
            onBlur={() => {
              if (path !== '') setTouched(true)
            }}
          />
        )}
        <div className={classes.expiry}>
          <NumberInput
            label={t('rule.keepFor')}
            value={expiry.value}
            min={1}
            max={max}
            clampBehavior="none"
            allowDecimal={false}
            error={expiryWrong}
            onChange={(value) => setExpiry({ ...expiry, value: Number(value) })}
          />
          <Select
            label={t('rule.unit')}
            data={ExpiryUnit.options.map((value) => ({ value, label: t(`unit.${value}`) }))}
            value={expiry.unit}
            allowDeselect={false}
            onChange={(unit) => {
              if (unit) setExpiry({ ...expiry, unit: ExpiryUnit.parse(unit) })
            }}
          />
        </div>
        {needsPlan && <Notice tone="warn">{t('rule.needsPlan', { plan: plan.name })}</Notice>}
        <SwitchRow
          label={t('rule.honor')}
          text={t('rule.honorText')}
          checked={honorOrigin}
          disabled={!plan.ability.includes('cache.honorOrigin') && !honorOrigin}
          onChange={setHonorOrigin}
        />
        {isDefault && (
          <SwitchRow
            label={t('rule.everything')}
            text={t('rule.everythingText')}
            checked={everything}
            onChange={setEverything}
          />
        )}
        {isDefault && everything && (
          <Notice tone="warn" title={t('rule.everythingWarn')}>
            {t('rule.everythingWarnText')}
          </Notice>
        )}
        {isBroad && <Notice tone="warn">{t('rule.pathWarn')}</Notice>}
        {isOfFiles && <Notice tone="info">{t('rule.extensionText')}</Notice>}
        {isGood && <DeliveryCard input={{ ...place, ...draft }} />}
      </div>
    </SideDrawer>
  )
}
