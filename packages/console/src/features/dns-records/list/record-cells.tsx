import type { DnsRecord } from '@fairway/contract'
import { CellButton } from '../../../ui/data-table/cell-controls.tsx'
import { CopyButton } from '../../../ui/marks/copy.tsx'
import type { RecordWords } from '../use-record-words.ts'
import classes from './record-cells.module.css'

/** The name, strong, and the site behind it, muted. Opens the record. */
export function NameCell({ record, siteName, onOpen }: { record: DnsRecord; siteName: string; onOpen: () => void }) {
  const isApex = record.name === '@'
  return (
    <CellButton className={classes.name} onClick={onOpen} title={isApex ? siteName : `${record.name}.${siteName}`}>
      <span className={classes.own}>{isApex ? siteName : record.name}</span>
      {!isApex && <span className={classes.suffix}>.{siteName}</span>}
    </CellButton>
  )
}

/** The value as it is answered, with MX's preference in front. */
export function ValueCell({ record, words }: { record: DnsRecord; words: RecordWords }) {
  const text = record.preference === null ? record.value : `${record.preference} ${record.value}`
  return (
    <span className={classes.value}>
      <code className={classes.text} title={text}>
        {text}
      </code>
      {record.weight !== null && (
        <span className={classes.weight} title={words.weight}>
          ×{record.weight}
        </span>
      )}
      <CopyButton value={record.value} label={words.copy(record.value)} quiet />
    </span>
  )
}

export function TtlCell({ record, words }: { record: DnsRecord; words: RecordWords }) {
  return record.ttlSeconds === null ? (
    <span className={classes.auto}>{words.auto}</span>
  ) : (
    <span className="num">{words.seconds(record.ttlSeconds)}</span>
  )
}
