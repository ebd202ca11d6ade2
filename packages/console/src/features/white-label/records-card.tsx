import {
  type WhiteLabel,
  type WhiteLabelRecord,
  type WhiteLabelState,
  type WhiteLabelUse,
  WHITE_LABEL_USES,
} from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Copy } from '../../ui/marks/copy.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { TypeTag } from '../../ui/marks/type-tag.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './white-label.module.css'

const TONE: Record<WhiteLabelState, Tone> = { good: 'ok', unknown: 'neutral', missing: 'warn', wrong: 'bad' }

/** Every DNS record that the chosen names need, where it is set, and what was seen of it. */
export function RecordsCard({ of }: { of: WhiteLabel }) {
  const { t } = useTranslation('white-label')
  const uses = WHITE_LABEL_USES.filter((use) => of.records.some((record) => record.use === use))
  return (
    <div className={classes.block}>
      {uses.length === 0 && (
        <Card title={t('records')}>
          <p className={classes.quiet}>{t('noRecords')}</p>
        </Card>
      )}
      {uses.map((use) => (
        <UseCard key={use} use={use} of={of} />
      ))}
    </div>
  )
}

function UseCard({ use, of }: { use: WhiteLabelUse; of: WhiteLabel }) {
  const { t } = useTranslation('white-label')
  const records = of.records.filter((record) => record.use === use)
  const answered = records.filter(({ place }) => place === 'answered')
  // Many names that all say the same are one line, unless one of them does not.
  const isOne = answered.length > 2 && answered.every(({ state }) => state === answered[0]?.state)
  const shown = isOne ? records.filter(({ place }) => place !== 'answered') : records
  const since = use === 'links' ? null : of.since[use]
  return (
    <Card
      title={t(`use.${use}`)}
      hint={t(`useHint.${use}`)}
      end={use !== 'links' && <Pill tone={since ? 'ok' : 'neutral'}>{t(since ? 'given' : 'notGiven')}</Pill>}
    >
      <ul className={classes.records} aria-label={t(`use.${use}`)}>
        {shown.map((record) => (
          <li key={record.id} className={classes.record}>
            <RecordLines record={record} />
          </li>
        ))}
        {isOne && answered[0] && (
          <li className={classes.record}>
            <Answered first={answered[0]} names={answered.map(({ name }) => name)} />
          </li>
        )}
      </ul>
    </Card>
  )
}

function Head({ record, name }: { record: WhiteLabelRecord; name: string }) {
  const { t } = useTranslation('white-label')
  return (
    <div className={classes.head}>
      <TypeTag type={record.type} />
      <code className={classes.name}>{name}</code>
      {record.place !== 'answered' && <Copy value={record.name} />}
      <span className={classes.end}>
        <Pill tone={record.required || record.state === 'good' ? TONE[record.state] : 'neutral'}>
          {t(`state.${record.state}`)}
        </Pill>
      </span>
    </div>
  )
}

function RecordLines({ record }: { record: WhiteLabelRecord }) {
  const { t } = useTranslation('white-label')
  return (
    <>
      <Head record={record} name={record.name} />
      {record.values.map((value) => (
        <div key={value} className={classes.value}>
          <code>{value}</code>
          {record.place !== 'answered' && <Copy value={value} name={t('value', { type: record.type })} />}
        </div>
      ))}
      {record.state === 'wrong' && record.seen.length > 0 && (
        <p className={classes.seen}>
          {t('seen')} <code>{record.seen.join(' · ')}</code>
        </p>
      )}
      {record.use === 'links' && record.state === 'wrong' && record.seen.some((seen) => seen.startsWith('TLS: ')) && (
        <p className={classes.seen}>{t('needsCertificate')}</p>
      )}
      <Foot record={record} />
    </>
  )
}

function Answered({ first, names }: { first: WhiteLabelRecord; names: readonly string[] }) {
  const { t } = useTranslation('white-label')
  const format = useFormat()
  return (
    <>
      <Head
        record={first}
        name={t('answeredNames', { first: names[0], last: names.at(-1), number: format.number(names.length) })}
      />
      <div className={classes.value}>
        <code>{first.values.join(' · ')}</code>
      </div>
      <Foot record={first} />
    </>
  )
}

function Foot({ record: { place, required, checkedAt } }: { record: WhiteLabelRecord }) {
  const { t } = useTranslation('white-label')
  return (
    <p className={classes.quiet}>
      {t(required ? `place.${place}` : 'advice')}
      {checkedAt !== null && (
        <>
          {' · '}
          {t('checked')} <Age inside at={checkedAt} />
        </>
      )}
    </p>
  )
}
