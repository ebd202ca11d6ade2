import type { DnsRecord } from '@fairway/contract'
import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Copy } from '../../ui/copy.tsx'
import classes from './record-cells.module.css'

/** The name, strong, and the site behind it, muted. Opens the record. */
export function NameCell({ record, siteName, onOpen }: { record: DnsRecord; siteName: string; onOpen: () => void }) {
  const isApex = record.name === '@'
  return (
    <UnstyledButton className={classes.name} onClick={onOpen} title={isApex ? siteName : `${record.name}.${siteName}`}>
      <span className={classes.own}>{isApex ? siteName : record.name}</span>{!isApex && <span className={classes.suffix}>.{siteName}</span>}
    </UnstyledButton>
  )
}

/** The value as it is answered, with MX's preference in front. */
export function ValueCell({ record }: { record: DnsRecord }) {
  const { t } = useTranslation('dns-records')
  const text = record.preference === null ? record.value : `${record.preference} ${record.value}`
  return (
    <span className={classes.value}>
      <code className={classes.text} title={text}>{text}</code>
      {record.weight !== null && <span className={classes.weight} title={t('weight')}>×{record.weight}</span>}
      <Copy value={record.value} quiet />
    </span>
  )
}

export function TtlCell({ record }: { record: DnsRecord }) {
  const { t } = useTranslation('dns-records')
  const format = useFormat()
  return record.ttlSeconds === null ? <span className={classes.auto}>{t('auto')}</span> : <span className="num">{format.seconds(record.ttlSeconds)}</span>
}
