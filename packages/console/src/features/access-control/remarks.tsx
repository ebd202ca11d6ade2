import { accessControl } from '@fairway/contract'
import type { AccessRemark, RouteInput } from '@fairway/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { usePlaceName } from '../../ui/geo/place-name.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './access-control.module.css'

type Drafts = Pick<RouteInput<typeof accessControl.routes.remarks>, 'add' | 'text'>
const TYPING_MS = 350
const EVERYBODY: ReadonlySet<AccessRemark['kind']> = new Set(['lets-everybody-in', 'keeps-everybody-out'])
const NOTHING: Drafts = {}

/** What there is to know of entries before they are saved; without any, of the lists as they are. */
export function Remarks({ place, drafts = NOTHING }: { place: Place; drafts?: Drafts }) {
  const { t } = useTranslation('access-control')
  const format = useFormat()
  const placeName = usePlaceName()
  const [settled] = useDebouncedValue(drafts, TYPING_MS)
  const { data } = useRead(accessControl.routes.remarks, { ...place, ...settled })
  if (!data || data.data.length === 0) return null
  const words = ({ kind, value, other, count }: AccessRemark) =>
    t(`remark.${kind}`, {
      value: kind === 'excludes-nothing' || value === 'world' ? placeName(value, true) : value,
      other,
      count,
      number: format.number(count),
    })
  const [grave, others] = [
    data.data.filter(({ kind }) => EVERYBODY.has(kind)),
    data.data.filter(({ kind }) => !EVERYBODY.has(kind)),
  ]
  return (
    <>
      {grave.map((one) => (
        <Notice key={`${one.kind} ${one.value}`} tone="bad" title={words(one)}>
          {t(`remarkText.${one.kind}`, { defaultValue: '' })}
        </Notice>
      ))}
      {others.length > 0 && (
        <Notice tone="info" title={t('remarks')}>
          <ul className={classes.remarks}>
            {others.map((one) => (
              <li key={`${one.kind} ${one.value}`}>{words(one)}</li>
            ))}
            {data.more > 0 && <li>{t('remarksMore', { count: data.more, number: format.number(data.more) })}</li>}
          </ul>
        </Notice>
      )}
    </>
  )
}
