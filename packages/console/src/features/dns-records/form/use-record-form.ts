import { type DnsRecord, type Site, dnsRecords } from '@fairway/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/use-change.ts'
import { failureText, useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { useCheckedForm } from '../../../ui/forms/use-zod-form.ts'
import { useUndoVersion } from '../../versions/use-undo-version.ts'
import { recordLabel } from '../filter-records.ts'
import { type RecordDraft, draftOf, fieldOfCode, problemsOf } from './record-draft.ts'

type RecordFormSettings = { site: Site; record: DnsRecord | null; others: readonly DnsRecord[]; onSaved: () => void }

/** State and saving of the record form. A refusal stands at the field it is about; `failure` is what has no field. */
export function useRecordForm({ site, record, others, onSaved }: RecordFormSettings) {
  const { t } = useTranslation(['dns-records', 'errors'])
  const show = useSnackbar()
  const undo = useUndoVersion(site.id)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useCheckedForm<RecordDraft>((draft) => {
    const { problems } = problemsOf(draft, site.domainName, others)
    const errors = Object.fromEntries(
      Object.entries(problems).map(([field, message]) => [field, { type: 'rule', message }]),
    )
    return Object.keys(errors).length === 0 ? { values: draft, errors: {} } : { values: {}, errors }
  }, draftOf(record))
  const create = useChange(dnsRecords.routes.create, { subject: null })
  const update = useChange(dnsRecords.routes.update, { subject: null })

  const refused = (error: unknown) => {
    if (form.takeFieldErrors(error)) return
    const isAboutRecord = error instanceof ApiError && error.code >= 100_000
    if (isAboutRecord) form.setError(fieldOfCode(error.code), { message: `code:${error.code}` }, { shouldFocus: true })
    else setFailure(failureText(t, error))
  }
  const saved = ({ data, meta }: { data: DnsRecord; meta: { version: number | null } }) => {
    const name = recordLabel(data)
    if (meta.version !== null)
      show(`record ${data.id}`, {
        message: record ? t('changed', { name }) : t('added', { name }),
        ...undo(meta.version),
      })
    // A next one of the same type may follow; for an edited one this is what is saved now.
    form.reset(record ? draftOf(data) : draftOf(null, data.type))
    if (!record) form.setFocus('name')
    onSaved()
  }
  const save = form.handleSubmit((draft) => {
    const { input } = problemsOf(draft, site.domainName, others)
    if (input === null) return
    setFailure(null)
    const { type, ...fields } = input
    const settled = { onSuccess: saved, onError: refused }
    if (record) update.mutate({ site: site.id, id: record.id, ...fields }, settled)
    else create.mutate({ site: site.id, type, ...fields }, settled)
  })
  return { form, save: () => void save(), busy: create.isPending || update.isPending, failure }
}
