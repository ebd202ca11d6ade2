import { cdnManagement, routeMap } from '@fairway/contract'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { validationText } from '../../i18n/validation.ts'
import { Upload } from '../../ui/forms/upload.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { domainCdnsInput } from '../routing-strategies/strategies-read.ts'
import classes from './screen.module.css'

const SHOWN_LINES = 8

type OverridesDialogProps = { place: { site: string; domain: string }; onClose: () => void }

/** Networks with the CDN that each goes to, as a file or typed; what was uploaded before is replaced. */
export function OverridesDialog({ place, onClose }: OverridesDialogProps) {
  const { t } = useTranslation(['route-map', 'shell', 'validation'])
  const format = useFormat()
  const show = useSnackbar()
  const [csv, setCsv] = useState('')
  const cdns = useRead(cdnManagement.routes.list, domainCdnsInput(place))
  const names = cdns.data?.data.map(({ cdnId }) => cdnId) ?? []
  const put = useChange(routeMap.routes.putOverrides, {
    subject: null,
    onDone: ({ data: { networks } }) => {
      show('overrides', { message: t('overrides.done', { count: networks, number: format.number(networks) }) })
      onClose()
    },
  })
  const wrong = put.error instanceof ApiError ? put.error.fields : []
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('overrides.title')}
      size={560}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={put.isPending} onClick={() => put.mutate({ ...place, csv })}>
            {t('overrides.save')}
          </Button>
        </>
      }
    >
      <div className={classes.dialog}>
        <p>{t('overrides.text')}</p>
        <Upload
          text={t('overrides.drop')}
          verb={t('overrides.choose')}
          accept=".csv,text/csv,text/plain"
          onFile={(file) => void file.text().then(setCsv)}
        />
        <Textarea
          label={t('overrides.lines')}
          description={t('overrides.example', { example: `203.0.113.0/24,${names[0] ?? 'cdn'}` })}
          value={csv}
          onChange={(event) => setCsv(event.currentTarget.value)}
          minRows={6}
          maxRows={14}
          autosize
          spellCheck={false}
        />
        {put.error && <FailureNotice title={t('overrides.failed')} error={put.error} />}
        {wrong.length > 0 && (
          <ul className={classes.wrong}>
            {wrong.slice(0, SHOWN_LINES).map(({ path, message }) => (
              <li
                key={path}
              >{`${t('overrides.line', { line: path.split('.')[1] ?? '' })} ${validationText(t, message) ?? ''}`}</li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
