import type { ZoneFilePreview, ZoneFileRow } from '@fairway/contract'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { PreviewErrors } from './preview-errors.tsx'
import { usePreviewColumns } from './use-preview-columns.tsx'
import classes from './zone-files.module.css'

type Shown = 'all' | ZoneFileRow['action']

/** Record by record what the import would do, or why the file cannot be read. */
export function ImportPreview({ preview, stale }: { preview: ZoneFilePreview; stale: boolean }) {
  const { t } = useTranslation('zone-files')
  const format = useFormat()
  const [shown, setShown] = useState<Shown>('all')
  const columns = usePreviewColumns()
  const { rows, counts, recordQuota } = preview
  const visible = useMemo(
    () =>
      rows
        .map((row, index) => ({ ...row, id: String(index) }))
        .filter(({ action }) => shown === 'all' || action === shown),
    [rows, shown],
  )
  if (preview.errors.length > 0) return <PreviewErrors errors={preview.errors} />
  const option = (value: Shown, count: number) => ({
    value,
    label: t(`show.${value}`, { number: format.number(count) }),
    disabled: count === 0 && value !== shown,
  })
  return (
    <>
      {recordQuota.after > recordQuota.total && (
        <Notice tone="bad">
          {t('quota', { after: format.number(recordQuota.after), total: format.number(recordQuota.total) })}
        </Notice>
      )}
      <div className={classes.filter}>
        <Segmented
          label={t('showLabel')}
          value={shown}
          onChange={setShown}
          options={[
            option('all', rows.length),
            option('added', counts.added),
            option('changed', counts.changed),
            option('removed', counts.removed),
            option('skipped', counts.skipped),
          ]}
        />
      </div>
      <div className={classes.table}>
        <DataTable
          fill
          label={t('tableLabel')}
          rows={visible}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ name, type }) => `${name} ${type}`}
          stale={stale}
          empty={<EmptyTeach title={t('noRows')} />}
        />
      </div>
    </>
  )
}
