import { LIMITS, dnsRecords } from '@fairway/contract'
import type { DnsRecord, Site } from '@fairway/contract'
import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/use-change.ts'
import { useFormat } from '../../../i18n/format.ts'
import { validationText } from '../../../i18n/validation.ts'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import { useReportFailure, useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { useUndoVersion } from '../../versions/use-undo-version.ts'
import classes from './change-records.module.css'
import { tagsOf } from '../filter-records.ts'
import { PRESETS_SECONDS } from '../form/ttl-field.tsx'

const NEEDS_FORCE = 900107
const KEEP = 'keep'
const AUTO = 'auto'

type ChangeRecordsProps = {
  site: Site
  records: readonly DnsRecord[]
  total: number
  opened: boolean
  onClose: () => void
  onDone: () => void
}

/**
 * Gives several records another TTL, and those of one type another value, as one version. A large part of a zone is
 * asked for once more.
 */
export function ChangeRecords({ site, records, total, opened, onClose, onDone }: ChangeRecordsProps) {
  const { t } = useTranslation(['dns-records', 'validation'])
  const format = useFormat()
  const [force, setForce] = useState(false)
  const [ttl, setTtl] = useState(KEEP)
  const [value, setValue] = useState('')
  const [addTags, setAddTags] = useState<string[]>([])
  const [removeTags, setRemoveTags] = useState<string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const undo = useUndoVersion(site.id)
  const tags = tagsOf(records)
  const isMixed = new Set(records.map(({ type }) => type)).size > 1
  const close = () => {
    setForce(false)
    setTtl(KEEP)
    setValue('')
    setAddTags([])
    setRemoveTags([])
    setProblem(null)
    onClose()
  }
  const change = useChange(dnsRecords.routes.updateMany, {
    subject: null,
    onDone: ({ data, meta }) => {
      if (meta.version !== null)
        show('change-records', { message: t('bulk.changed', { count: data.updated }), ...undo(meta.version) })
      close()
      onDone()
    },
  })
  const confirm = () => {
    const set = {
      ...(ttl === KEEP ? {} : { ttlSeconds: ttl === AUTO ? null : Number(ttl) }),
      ...(value.trim() === '' || isMixed ? {} : { value: value.trim() }),
      ...(addTags.length > 0 ? { addTags } : {}),
      ...(removeTags.length > 0 ? { removeTags } : {}),
    }
    if (Object.keys(set).length === 0) return setProblem(t('bulk.nothing'))
    setProblem(null)
    change.mutate({ site: site.id, ids: records.map(({ id }) => id), set, force }, { onError: refused })
  }
  const refused = (error: unknown) => {
    if (!(error instanceof ApiError)) return reportFailure('change-records', error)
    if (error.code === NEEDS_FORCE) return setForce(true)
    const [field] = error.fields
    setProblem(validationText(t, field ? field.message : `code:${error.code}`))
  }
  return (
    <Confirm
      opened={opened}
      onClose={close}
      title={t('bulk.changeTitle', { count: records.length })}
      verb={force ? t('bulk.changeAnyway') : t('bulk.changeVerb', { count: records.length })}
      danger={force}
      busy={change.isPending}
      onConfirm={confirm}
      {...(force
        ? {
            alert: t('bulk.largeChange', {
              percent: format.percent((records.length / Math.max(1, total)) * 100),
              site: site.domainName,
            }),
          }
        : {})}
    >
      <div className={classes.fields}>
        <Select
          label={t('column.ttl')}
          value={ttl}
          allowDeselect={false}
          onChange={(next) => setTtl(next ?? KEEP)}
          data={[
            { value: KEEP, label: t('bulk.keepTtl') },
            { value: AUTO, label: t('auto') },
            ...PRESETS_SECONDS.map((seconds) => ({ value: String(seconds), label: format.seconds(seconds) })),
          ]}
        />
        {isMixed ? (
          <p className={classes.mixed}>{t('bulk.mixed')}</p>
        ) : (
          <TextInput
            label={t('bulk.newValue')}
            description={t('bulk.newValueHelp')}
            className={classes.mono}
            spellCheck={false}
            autoComplete="off"
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
        <TagsInput
          label={t('bulk.addTags')}
          value={addTags}
          onChange={setAddTags}
          maxTags={LIMITS.tagsPerRecord}
          splitChars={[',', ';']}
        />
        {tags.length > 0 && (
          <MultiSelect label={t('bulk.removeTags')} data={tags} value={removeTags} onChange={setRemoveTags} />
        )}
        {problem !== null && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
    </Confirm>
  )
}
