import { type Site, addSite } from '@fairway/contract'
import { Button, Popover } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { NameserverDetails } from './nameserver-card.tsx'
import classes from './nameserver-check.module.css'
import { useNsStatus } from './use-ns-status.ts'

/** When the delegation was looked at last, and a way to look again; for the strip above the records. */
export function NameserverCheck({ site }: { site: Site }) {
  const { t } = useTranslation('nameservers')
  const { data: status } = useNsStatus(site.id)
  const canCheck = useCanCall(addSite.routes.checkNameservers)
  const check = useChange(addSite.routes.checkNameservers)
  if (!status) return null
  const why =
    status.dnsState === 'pending' && status.reason
      ? t(`reason.${status.reason}`, { parent: status.parent ?? '' })
      : undefined
  return (
    <span className={classes.check} title={why}>
      {status.state === 'checking' && <StatusPill state="checking" />}
      {status.state === 'timed-out' && <span className={classes.late}>{t('timedOut')}</span>}
      {status.checkedAt && (
        <span className={classes.age}>
          {t('checked')} <Age inside at={status.checkedAt} />
        </span>
      )}
      <Popover position="bottom-start" width={420}>
        <Popover.Target>
          <Button variant="subtle" size="xs">
            {t('details')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('title')}>
          <NameserverDetails status={status} />
        </Popover.Dropdown>
      </Popover>
      {canCheck && (
        <Button variant="subtle" size="xs" loading={check.isPending} onClick={() => check.mutate({ site: site.id })}>
          {t('again')}
        </Button>
      )}
    </span>
  )
}
