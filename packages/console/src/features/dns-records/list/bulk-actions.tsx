import type { DnsRecord, Site } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onDemand } from '../../../ui/pace/on-demand.tsx'
import { DeleteRecords } from './delete-records.tsx'
import { isSteerable } from '../filter-records.ts'
import { useSteerMany } from './use-steer-many.ts'
import classes from './bulk-actions.module.css'

const ChangeRecords = onDemand(async () => (await import('./change-records.tsx')).ChangeRecords)

type BulkActionsProps = { site: Site; records: readonly DnsRecord[]; total: number; onDone: () => void }

/** What can be done with several records at once. */
export function BulkActions({ site, records, total, onDone }: BulkActionsProps) {
  const { t } = useTranslation('dns-records')
  const [deleting, setDeleting] = useState(false)
  const [changing, setChanging] = useState(false)
  const steer = useSteerMany(site.id)
  const steerable = records.filter(isSteerable)
  const allOn = steerable.length > 0 && steerable.every(({ multiCdn }) => multiCdn)
  return (
    <>
      {steerable.length > 0 && (
        <Button
          variant="subtle"
          className={classes.action}
          loading={steer.busy}
          onClick={() => void steer.run(steerable, !allOn).then(onDone)}
        >
          {allOn ? t('bulk.turnOff') : t('bulk.turnOn')}
        </Button>
      )}
      <Button variant="subtle" className={classes.action} onClick={() => setChanging(true)}>
        {t('bulk.change')}
      </Button>
      <Button variant="subtle" color="red" className={classes.danger} onClick={() => setDeleting(true)}>
        {t('bulk.delete')}
      </Button>
      <ChangeRecords
        site={site}
        records={records}
        total={total}
        opened={changing}
        onClose={() => setChanging(false)}
        onDone={onDone}
      />
      <DeleteRecords
        site={site}
        records={records}
        total={total}
        opened={deleting}
        onClose={() => setDeleting(false)}
        onDone={onDone}
      />
    </>
  )
}
