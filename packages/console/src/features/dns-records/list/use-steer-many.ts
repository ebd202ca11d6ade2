import { dnsRecords } from '@fairway/contract'
import type { DnsRecord } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../../api/use-change.ts'
import { failureText, useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { recordLabel } from '../filter-records.ts'

/**
 * Turns multi-CDN on or off for several records, one after the other, and says how many followed and why the others did
 * not.
 */
export function useSteerMany(siteId: string) {
  const { t } = useTranslation(['dns-records', 'errors'])
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const [busy, setBusy] = useState(false)
  const run = async (records: readonly DnsRecord[], multiCdn: boolean): Promise<void> => {
    setBusy(true)
    const failed: string[] = []
    const wanted = records.filter((record) => record.multiCdn !== multiCdn)
    for (const record of wanted) {
      try {
        await change(queryClient, dnsRecords.routes.update, { site: siteId, id: record.id, multiCdn })
      } catch (error) {
        failed.push(`${recordLabel(record)}: ${failureText(t, error)}`)
      }
    }
    setBusy(false)
    const message = [t('bulk.changed', { count: wanted.length - failed.length }), ...failed].join('\n')
    show('steer-many', { message, tone: failed.length > 0 ? 'bad' : 'plain' })
  }
  return { busy, run }
}
