import { domains } from '@fairway/contract'
import type { Domain, OriginShield } from '@fairway/contract'
import { mayBypassShield } from '@fairway/domain'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './screen.module.css'

type ShieldCardProps = {
  domain: Domain
  value: OriginShield
  mayEdit: boolean
  onChange: (value: OriginShield) => void
}

/**
 * Whether the CDNs fetch through the shield; before it is used it says what begins, before it is bypassed which of them go
 * out of use.
 */
export function ShieldCard({ domain, value, mayEdit, onChange }: ShieldCardProps) {
  const { t } = useTranslation('general-settings')
  const format = useFormat()
  const { plan } = useAccount()
  const inUse = domain.settings.originShield === 'use'
  const lacks = !plan.ability.includes('waf.enable')
  const stuck = inUse && !mayBypassShield(domain.origin.port)
  const leaving = inUse && value === 'bypass'
  const { data } = useRead(
    domains.routes.compile,
    { site: domain.siteId, domain: domain.id, settings: { originShield: 'bypass' } },
    { enabled: leaving },
  )
  const unfit = leaving ? (data?.cdns ?? []).filter(({ problem, enabled }) => problem !== null && enabled) : []
  return (
    <Card flush>
      <div className={classes.row}>
        <div className={classes.words}>
          <p className={classes.name}>
            {t('field.originShield')} {lacks && !inUse && <Pill tone="neutral">{t('notInPlan')}</Pill>}
          </p>
          <p className={classes.why}>{t('why.originShield')}</p>
          {stuck && <p className={classes.why}>{t('shield.port', { port: domain.origin.port })}</p>}
        </div>
        <Segmented
          label={t('field.originShield')}
          value={value}
          onChange={onChange}
          options={[
            { value: 'use', label: t('shield.use'), disabled: !mayEdit || (lacks && !inUse) },
            { value: 'bypass', label: t('shield.bypass'), disabled: !mayEdit || stuck },
          ]}
        />
      </div>
      {value === 'use' && !inUse && (
        <div className={classes.row}>
          <Notice tone="info" title={t('shield.onTitle')}>
            {t('shield.onText')}
          </Notice>
        </div>
      )}
      {unfit.length > 0 && (
        <div className={classes.row}>
          <Notice tone="warn" title={t('shield.offTitle')}>
            {t('shield.offText', { names: format.list(unfit.map(({ name }) => name)) })}
          </Notice>
        </div>
      )}
    </Card>
  )
}
