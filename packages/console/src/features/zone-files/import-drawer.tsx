import { type Site, type ZoneFileCounts, zoneFiles } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import { ImportChoice } from './import-choice.tsx'
import { ImportGuard } from './import-guard.tsx'
import { ImportPreview } from './import-preview.tsx'
import { EMPTY, isTooLong } from './import-source.ts'
import { usePreview } from './use-preview.ts'
import classes from './zone-files.module.css'

const NEEDS_FORCE = 900107
const CHANGED_MEANWHILE = 409

const changesOf = ({ added, changed, removed }: ZoneFileCounts): number => added + changed + removed

/** A file is dropped or pasted, what it would do is shown, and then it is done as one version that can be undone. */
export function ImportDrawer({ site, opened, onClose }: { site: Site; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('zone-files')
  const [source, setSource] = useState(EMPTY)
  const [isAsking, setAsking] = useState(false)
  const show = useSnackbar()
  const undo = useUndoVersion(site.id)
  const { data, error, isPlaceholderData, isFetching, refetch } = usePreview(site.id, source)
  const close = () => {
    setSource(EMPTY)
    setAsking(false)
    apply.reset()
    onClose()
  }
  const apply = useChange(zoneFiles.routes.apply, {
    subject: null,
    onDone: ({ data: counts, meta }) => {
      show('import', { message: t('done', counts), ...undo(meta.version) })
      close()
    },
  })
  const hasText = source.text.trim() !== ''
  const preview = hasText && !isTooLong(source.text) ? data : undefined
  const run = (force: boolean) => {
    const { text, format, mode } = source
    apply.mutate(
      { site: site.id, text, format, mode, version: preview?.version ?? null, force },
      {
        onError: (problem) => {
          setAsking(problem instanceof ApiError && problem.code === NEEDS_FORCE)
          if (problem instanceof ApiError && problem.code === CHANGED_MEANWHILE) void refetch()
        },
      },
    )
  }
  const hindrance = !preview
    ? null
    : preview.errors.length > 0
      ? t('mend')
      : preview.recordQuota.after > preview.recordQuota.total
        ? t('tooMany')
        : changesOf(preview.counts) === 0
          ? t('nothing')
          : null
  const isReady = preview !== undefined && hindrance === null && !isPlaceholderData && !isFetching
  return (
    <SideDrawer
      opened={opened}
      onClose={close}
      title={t('title', { site: site.domainName })}
      size={720}
      keepOpen={hasText}
      beside={
        hindrance === null ? null : (
          <span className={classes.hindrance} role="status">
            {hindrance}
          </span>
        )
      }
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button
            disabled={!isReady}
            loading={apply.isPending && !isAsking}
            onClick={() => (preview?.needsForce ? setAsking(true) : run(false))}
          >
            {preview && hindrance === null ? t('verb', { count: changesOf(preview.counts) }) : t('import')}
          </Button>
        </>
      }
    >
      <div className={classes.body}>
        <ImportChoice source={source} onChange={setSource} />
        {isTooLong(source.text) && <Notice tone="bad">{t('tooLarge')}</Notice>}
        {error && hasText && <FailureNotice title={t('previewFailed')} error={error} />}
        {apply.error && !isAsking && <FailureNotice title={t('failed')} error={apply.error} />}
        {preview && <ImportPreview preview={preview} stale={isPlaceholderData} />}
      </div>
      <ImportGuard
        opened={isAsking}
        preview={preview}
        site={site}
        busy={apply.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => run(true)}
      />
    </SideDrawer>
  )
}
