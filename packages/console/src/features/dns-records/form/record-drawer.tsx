import type { DnsRecord, Site } from '@fairway/contract'
import { useRef } from 'react'
import { onDemand } from '../../../ui/pace/on-demand.tsx'

const RecordForm = onDemand(async () => (await import('./record-form.tsx')).RecordForm)

type RecordDrawerProps = {
  site: Site
  records: readonly DnsRecord[]
  /** A record's id, `new`, or nothing. */
  open: string | undefined
  onClose: () => void
}

/** The form beside the table, for a new record or for one of the table's. */
export function RecordDrawer({ site, records, open, onClose }: RecordDrawerProps) {
  const found = records.find(({ id }) => id === open)
  const opened = open === 'new' || found !== undefined
  // The drawer keeps what it shows while it slides out.
  const shown = useRef<{ key: string; record: DnsRecord | null }>({ key: 'new', record: null })
  if (opened && open !== undefined && (shown.current.key !== open || !found))
    shown.current = { key: open, record: found ?? null }
  const { key, record } = shown.current
  return (
    <RecordForm
      key={key}
      site={site}
      record={record}
      others={record ? records.filter(({ id }) => id !== record.id) : records}
      opened={opened}
      onClose={onClose}
    />
  )
}
