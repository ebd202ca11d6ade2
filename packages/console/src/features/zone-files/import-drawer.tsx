import {
  type Site,
  type ZoneFileCounts,
  type ZoneFileMode,
  type ZoneFilePreview,
  dnsRecords,
  zoneFiles,
} from '@fairway/contract'
import { Button } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import { ImportChoice } from './import-choice.tsx'
import { ImportGuard } from './import-guard.tsx'
import { ImportPreview } from './import-preview.tsx'
import { EMPTY } from './import-source.ts'
import { PartsPanel } from './parts-panel.tsx'
import { type PartsImport, usePartsImport } from './use-parts-import.ts'
import { usePreview } from './use-preview.ts'
import classes from './zone-files.module.css'

const NEEDS_FORCE = 900107
const CHANGED_MEANWHILE = 409

const changesOf = ({ added, changed, removed }: ZoneFileCounts): number => added + changed + removed

type Words = TFunction<'zone-files'>

/** Why a file cannot be imported; null when it can. */
function hindranceOf(t: Words, { errors, recordQuota, counts }: ZoneFilePreview): string | null {
  if (errors.length > 0) return t('mend')
  if (recordQuota.after > recordQuota.total) return t('tooMany')
  return changesOf(counts) === 0 ? t('nothing') : null
}

function hindranceOfParts(t: Words, state: PartsImport, mode: ZoneFileMode, isAmple: boolean): string | null {
  if (state.phase === 'broken') return t('mend')
  if (!isAmple) return t('tooMany')
  if (state.phase !== 'ready') return null
  if (state.split.records === 0) return t('nothing')
  return mode === 'replace' ? t('parts.mergeOnly') : null
}

/**
 * A file is dropped or pasted, what it would do is shown, and then it is done as one version that can be undone. A large
 * one is imported in parts instead, without a preview.
 */
export function ImportDrawer({ site, opened, onClose }: { site: Site; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('zone-files')
  const [source, setSource] = useState(EMPTY)
  const [isAsking, setAsking] = useState(false)
  const show = useSnackbar()
  const undo = useUndoVersion(site.id)
  const { data, error, isPlaceholderData, isFetching, refetch } = usePreview(site.id, source)
  const { isLarge } = source
  const { state, run: runParts, stop } = usePartsImport(site, source)
  const isGoing = isLarge && (state.phase === 'going' || state.phase === 'stopping')
  const close = () => {
    // What is under way is ended first, where everybody sees it.
    if (isGoing) return stop()
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
  const preview = hasText && !isLarge ? data : undefined
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
  const { data: zone } = useRead(dnsRecords.routes.zone, { site: site.id })
  const records = isLarge && 'split' in state ? state.split.records : 0
  const isAmple = zone === undefined || records <= zone.recordQuota.total
  const hindrance = isLarge
    ? hindranceOfParts(t, state, source.mode, isAmple)
    : preview
      ? hindranceOf(t, preview)
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
          {isGoing ? (
            <Button variant="default" onClick={stop} disabled={state.phase === 'stopping'}>
              {t('parts.stop')}
            </Button>
          ) : (
            <Button variant="default" onClick={close}>
              {t(isLarge && state.phase === 'done' ? 'shell:close' : 'shell:cancel')}
            </Button>
          )}
          {isLarge ? (
            state.phase !== 'done' && (
              <Button
                disabled={hindrance !== null || (state.phase !== 'ready' && state.phase !== 'stopped')}
                loading={isGoing}
                onClick={runParts}
              >
                {state.phase === 'stopped'
                  ? t('parts.goOn')
                  : records > 0
                    ? t('parts.verb', { count: records })
                    : t('import')}
              </Button>
            )
          ) : (
            <Button
              disabled={!isReady}
              loading={apply.isPending && !isAsking}
              onClick={() => (preview?.needsForce ? setAsking(true) : run(false))}
            >
              {preview && hindrance === null ? t('verb', { count: changesOf(preview.counts) }) : t('import')}
            </Button>
          )}
        </>
      }
    >
      <div className={classes.body}>
        <ImportChoice
          source={source}
          onChange={setSource}
          isGoing={isLarge && state.phase !== 'ready' && state.phase !== 'reading' && state.phase !== 'broken'}
        />
        {isLarge && <PartsPanel state={state} />}
        {error && hasText && !isLarge && <FailureNotice title={t('previewFailed')} error={error} />}
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
