import { dnsRecords } from '@fairway/contract'
import type { DnsRecord, Site } from '@fairway/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/use-change.ts'
import { useFormat } from '../../../i18n/format.ts'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import { useReportFailure, useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { useUndoVersion } from '../../versions/use-undo-version.ts'
import { recordLabel } from '../filter-records.ts'
import classes from './delete-records.module.css'

const NEEDS_FORCE = 900107
const NAMED = 6

type DeleteRecordsProps = {
  site: Site
  records: readonly DnsRecord[]
  total: number
  opened: boolean
  onClose: () => void
  onDone: () => void
}

/**
 * Deletes several records as one version. The API refuses a large part of a zone at first; the dialog then says so and
 * asks once more.
 */
export function DeleteRecords({ site, records, total, opened, onClose, onDone }: DeleteRecordsProps) {
  const { t } = useTranslation('dns-records')
  const format = useFormat()
  const [force, setForce] = useState(false)
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const undo = useUndoVersion(site.id)
  const close = () => {
    setForce(false)
    onClose()
  }
  const remove = useChange(dnsRecords.routes.removeMany, {
    subject: null,
    onDone: ({ data, meta }) => {
      show('delete-records', { message: t('bulk.deleted', { count: data.removed }), ...undo(meta.version) })
      close()
      onDone()
    },
  })
  const confirm = () =>
    remove.mutate(
      { site: site.id, ids: records.map(({ id }) => id), force },
      {
        onError: (error) => {
          if (error instanceof ApiError && error.code === NEEDS_FORCE) setForce(true)
          else reportFailure('delete-records', error)
        },
      },
    )
  const rest = records.length - NAMED
  return (
    <Confirm
      opened={opened}
      onClose={close}
      title={t('bulk.deleteTitle', { count: records.length })}
      verb={force ? t('bulk.deleteAnyway') : t('bulk.deleteVerb', { count: records.length })}
      danger
      busy={remove.isPending}
      onConfirm={confirm}
      {...(force
        ? {
            alert: t('bulk.large', {
              percent: format.percent((records.length / Math.max(1, total)) * 100),
              site: site.domainName,
            }),
          }
        : {})}
    >
      <p className={classes.text}>{t('bulk.deleteText')}</p>
      <ul className={classes.names}>
        {records.slice(0, NAMED).map((record) => (
          <li key={record.id}>
            <code>{recordLabel(record)}</code>
          </li>
        ))}
        {rest > 0 && <li className={classes.rest}>{t('bulk.rest', { count: rest })}</li>}
      </ul>
    </Confirm>
  )
}
