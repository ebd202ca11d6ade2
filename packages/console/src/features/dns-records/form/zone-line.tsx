import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Copy } from '../../../ui/marks/copy.tsx'
import { type RecordDraft, zoneLine } from './record-draft.ts'
import classes from './zone-line.module.css'

/** The line of a zone file that this form makes. */
export function ZoneLine({ siteName }: { siteName: string }) {
  const { t } = useTranslation('dns-records')
  const { control } = useFormContext<RecordDraft>()
  const [type, name, value, preference, ttlSeconds, multiCdn] = useWatch({
    control,
    name: ['type', 'name', 'value', 'preference', 'ttlSeconds', 'multiCdn'],
  })
  const line = zoneLine({ type, name, value, preference, ttlSeconds, multiCdn }, siteName)
  const text = `${line.owner} ${line.ttlSeconds} IN ${line.type} ${line.rdata}`
  return (
    <div>
      <p className={classes.label}>{t('zoneLine')}</p>
      <div className={classes.line} data-copy-host>
        <code className={classes.code}>
          {line.owner} {line.ttlSeconds} IN <b className={classes.type}>{line.type}</b> {line.rdata}
        </code>
        <Copy value={text} name={t('zoneLine')} quiet />
      </div>
    </div>
  )
}
