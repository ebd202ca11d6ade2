import { type RouteOutput, type Site, LIMITS, addSite } from '@fairway/contract'
import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { Card } from '../../ui/page/card.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './add-site.module.css'

type Outcome = RouteOutput<typeof addSite.routes.readFile>

const SHOWN_ERRORS = 10

/** The sure way: the file that the old provider exports holds every record. */
export function ZoneFileCard({ site }: { site: Site }) {
  const { t } = useTranslation('add-site')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isTooLarge, setTooLarge] = useState(false)
  const upload = useChange(addSite.routes.readFile, { subject: null, onDone: setOutcome })
  const take = async (file: File | null) => {
    if (!file) return
    setOutcome(null)
    setTooLarge(file.size > LIMITS.zoneFile.characters)
    if (file.size <= LIMITS.zoneFile.characters) upload.mutate({ site: site.id, text: await file.text() })
  }
  return (
    <Card
      title={t('file.title')}
      end={
        <FileButton onChange={(file) => void take(file)} accept=".zone,.txt,.db,.bind,text/plain">
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="xs"
              leftSection={<IconUpload size={15} stroke={1.7} />}
              loading={upload.isPending}
            >
              {t('file.verb')}
            </Button>
          )}
        </FileButton>
      }
    >
      <div className={classes.stack}>
        <p className={classes.quiet}>{t('file.text')}</p>
        {isTooLarge && <Notice tone="bad">{t('file.tooLarge')}</Notice>}
        {upload.error && <FailureNotice title={t('file.failed')} error={upload.error} />}
        {outcome && (
          <div role="status">
            <FileOutcome outcome={outcome} />
          </div>
        )}
      </div>
    </Card>
  )
}

function FileOutcome({ outcome: { added, known, errors } }: { outcome: Outcome }) {
  const { t } = useTranslation('add-site')
  if (errors.length === 0) return <Notice tone="info">{t('file.added', { count: added, known })}</Notice>
  return (
    <Notice tone="bad" title={t('file.broken', { count: errors.length })}>
      <ul className={classes.faults}>
        {errors.slice(0, SHOWN_ERRORS).map(({ line, column, text }) => (
          <li key={`${line} ${column}`}>{t('file.fault', { line, column, text })}</li>
        ))}
      </ul>
    </Notice>
  )
}
