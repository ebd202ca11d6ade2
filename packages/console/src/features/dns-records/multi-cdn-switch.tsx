import { dnsRecords } from '@fairway/contract'
import type { DnsRecord, RouteOutput, Site } from '@fairway/contract'
import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Toggle, useToggle } from '../../api/use-toggle.ts'
import { isSteerable, recordLabel } from './filter-records.ts'
import { recordsRead } from './reads.ts'

type Records = RouteOutput<typeof dnsRecords.routes.list>
type MultiCdnSwitchProps = { site: Pick<Site, 'id'>; record: DnsRecord; canEdit: boolean; toggle: ReturnType<typeof useToggle> }

/** Steering of one name, switched at once and undone by the snackbar. Absent where it cannot apply. */
export function MultiCdnSwitch({ site, record, canEdit, toggle }: MultiCdnSwitchProps) {
  const { t } = useTranslation('dns-records')
  if (!isSteerable(record)) return null
  const name = recordLabel(record)
  return (
    <Switch
      aria-label={t('multiCdnOf', { name })}
      checked={record.multiCdn}
      disabled={!canEdit}
      onChange={(event) => void toggle(multiCdnToggle(site.id, record, (on) => t(on ? 'turnedOn' : 'turnedOff', { name })), event.currentTarget.checked)}
    />
  )
}

function multiCdnToggle(siteId: string, record: DnsRecord, said: (on: boolean) => string): Toggle<typeof dnsRecords.routes.update, Records> {
  return {
    route: dnsRecords.routes.update,
    input: (multiCdn) => ({ site: siteId, id: record.id, multiCdn }),
    shownBy: recordsRead(siteId).queryKey,
    optimistic: (records, multiCdn) => ({ ...records, data: records.data.map((row) => (row.id === record.id ? { ...row, multiCdn } : row)) }),
    subject: `multi-cdn ${record.id}`,
    said,
  }
}
