import { dnsRecords } from '@fairway/contract'
import type { DnsRecord, RouteOutput, Site } from '@fairway/contract'
import type { Toggle, useToggle } from '../../../api/use-toggle.ts'
import { CellSwitch } from '../../../ui/data-table/cell-controls.tsx'
import { isSteerable, recordLabel } from '../filter-records.ts'
import { recordsRead } from '../reads.ts'
import type { RecordWords } from '../use-record-words.ts'

type Records = RouteOutput<typeof dnsRecords.routes.list>
type MultiCdnSwitchProps = {
  site: Pick<Site, 'id'>
  record: DnsRecord
  canEdit: boolean
  toggle: ReturnType<typeof useToggle>
  words: RecordWords
}

/** Steering of one name, switched at once and undone by the snackbar. Absent where it cannot apply. */
export function MultiCdnSwitch({ site, record, canEdit, toggle, words }: MultiCdnSwitchProps) {
  if (!isSteerable(record)) return null
  const name = recordLabel(record)
  return (
    <CellSwitch
      aria-label={words.multiCdnOf(name)}
      checked={record.multiCdn}
      disabled={!canEdit}
      onChange={(event) =>
        void toggle(
          multiCdnToggle(site.id, record, (on) => words.turned(on, name, record.cdnIds.length)),
          event.currentTarget.checked,
        )
      }
    />
  )
}

function multiCdnToggle(
  siteId: string,
  record: DnsRecord,
  said: (on: boolean) => string,
): Toggle<typeof dnsRecords.routes.update, Records> {
  return {
    route: dnsRecords.routes.update,
    input: (multiCdn) => ({ site: siteId, id: record.id, multiCdn }),
    shownBy: recordsRead(siteId).queryKey,
    optimistic: (records, multiCdn) => ({
      ...records,
      data: records.data.map((row) => (row.id === record.id ? { ...row, multiCdn } : row)),
    }),
    subject: `multi-cdn ${record.id}`,
    said,
  }
}
