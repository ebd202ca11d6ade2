import type { DnsRecord } from '@fairway/contract'
import { IconAlertTriangle, IconMessage } from '@tabler/icons-react'
import { useContext } from 'react'
import { CellButton } from '../../../ui/data-table/cell-controls.tsx'
import { CopyButton } from '../../../ui/marks/copy.tsx'
import { RecordHints } from '../record-hints.ts'
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
      <Hint id={record.id} words={words} />
      {record.comment !== '' && (
        <span className={classes.note} role="img" aria-label={words.commented(record.comment)} title={record.comment}>
          <IconMessage size={15} stroke={1.65} aria-hidden />
        </span>
      )}
      {record.tags.map((tag) => (
        <span key={tag} className={classes.tag} title={words.tag}>
          {tag}
        </span>
      ))}
      <CopyButton value={record.value} label={words.copy(record.value)} quiet />
    </span>
  )
}

/** A sign that the record is probably not meant so, with its sentence. */
function Hint({ id, words }: { id: string; words: RecordWords }) {
  const hint = useContext(RecordHints).get(id)
  if (hint === undefined) return null
  const text = words.hint(hint)
  return (
    <span className={classes.hint} role="img" aria-label={text} title={text}>
      <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
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
