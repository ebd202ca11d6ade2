import { dnsRecords } from '@fairway/contract'
import type { RouteOutput, Site } from '@fairway/contract'
import { Popover, UnstyledButton } from '@mantine/core'
import { IconCircleCheckFilled, IconClock, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/queries.ts'
import { useFormat } from '../../../i18n/format.ts'
import { Copy } from '../../../ui/marks/copy.tsx'
import { StatusPill } from '../../../ui/marks/status-pill.tsx'
import { NameserverCheck } from '../../nameservers/nameserver-check.tsx'
import classes from './zone-strip.module.css'

type Zone = RouteOutput<typeof dnsRecords.routes.zone>

const QUOTA_WARN_PERCENT = 90

const STATE_ICON = { verified: IconCircleCheckFilled, pending: IconClock, draft: IconPencil } as const

/** What stands around the records: nameservers, the zone's serial, and the quota when it gets short. */
export function ZoneStrip({ site }: { site: Site }) {
  const { t } = useTranslation('dns-records')
  const { data: zone } = useRead(dnsRecords.routes.zone, { site: site.id })
  const StateIcon = STATE_ICON[site.dnsState]
  const used = zone ? Math.round((zone.recordQuota.used / zone.recordQuota.total) * 100) : 0
  return (
    <section className={classes.strip} aria-label={t('strip.label')}>
      <span className={classes.state} data-state={site.dnsState}>
        <StateIcon size={17} aria-hidden />
        {t(`strip.${site.dnsState}`)}
      </span>
      {(['global', 'china'] as const).map(
        (set) =>
          site.nameservers[set].length > 0 && (
            <span key={set} className={classes.set}>
              <span className={classes.label}>{t(`strip.${set}`)}</span>
              {site.nameservers[set].map((host) => (
                <span key={host} className={classes.host} data-copy-host>
                  <code>{host}</code>
                  <Copy value={host} />
                </span>
              ))}
            </span>
          ),
      )}
      <NameserverCheck site={site} />
      <span className={classes.end}>
        {used > QUOTA_WARN_PERCENT && zone && (
          <span title={t('strip.quota', zone.recordQuota)}>
            <StatusPill state="quota-high" value={used} />
          </span>
        )}
        {zone && <Soa soa={zone.soa} />}
      </span>
    </section>
  )
}

function Soa({ soa }: { soa: Zone['soa'] }) {
  const { t } = useTranslation('dns-records')
  const format = useFormat()
  const rows: [string, string][] = [
    ['MNAME', soa.mname],
    ['RNAME', soa.rname],
    [t('soa.refresh'), format.seconds(soa.refresh)],
    [t('soa.retry'), format.seconds(soa.retry)],
    [t('soa.expire'), format.seconds(soa.expire)],
    [t('soa.minimum'), format.seconds(soa.minimum)],
  ]
  return (
    <Popover position="bottom-end" width={320}>
      <Popover.Target>
        <UnstyledButton className={classes.serial}>
          {t('soa.serial')} <code>{soa.serial}</code>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('soa.title')}>
        <dl className={classes.soa}>
          {rows.map(([label, value]) => (
            <div key={label} className={classes.soaRow}>
              <dt>{label}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  )
}
