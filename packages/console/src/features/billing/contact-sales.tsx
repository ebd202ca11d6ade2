import { supportTickets, type Plan } from '@fairway/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useAccount } from '../../shell/access/session.ts'
import { usePartner } from '../../shell/partner.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './billing.module.css'

/** For a plan that is agreed with sales: one click files the wish as a ticket; a partner without tickets is written to. */
export function ContactSales({ plan }: { plan: Plan }) {
  const { t } = useTranslation('billing')
  const contact = usePartner()?.contactEmail ?? null
  const { hideFeature, organizationName } = useAccount()
  const file = useChange(supportTickets.routes.create)
  if (hideFeature.includes('support'))
    return (
      <Notice tone="info" title={t('choose.contract')}>
        {contact === null ? (
          t('choose.contractText')
        ) : (
          <a className="link" href={`mailto:${contact}`}>
            {contact}
          </a>
        )}
      </Notice>
    )
  if (file.data)
    return (
      <Notice tone="info" title={t('sales.filed', { ticket: file.data.ticketId })}>
        <Link className="link" to="/support" search={{ open: file.data.id }}>
          {t('sales.open')}
        </Link>
      </Notice>
    )
  return (
    <div className={classes.stack}>
      {file.error && <FailureNotice title={t('sales.failed')} error={file.error} />}
      <p>{t('sales.text')}</p>
      <div className={classes.buttons}>
        <Button
          loading={file.isPending}
          onClick={() =>
            file.mutate({
              subject: t('sales.subject', { plan: plan.name }),
              message: t('sales.message', { plan: plan.name, organization: organizationName }),
            })
          }
        >
          {t('sales.contact')}
        </Button>
      </div>
    </div>
  )
}
