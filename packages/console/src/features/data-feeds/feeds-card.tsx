import { routingStrategies, type DataFeed, type FeedName, type FeedState } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Age } from '../../ui/marks/age.tsx'
import { DataQuality } from '../../ui/marks/data-quality.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './screen.module.css'

const TONES = { feeding: 'ok', silent: 'warn', off: 'neutral' } as const

type FeedsCardProps = { feeds: readonly DataFeed[]; windowSeconds: number; onWithout: (feed: FeedName) => void }

/** The sources with what they said, how much decisions lean on them, and the switch of each. */
export function FeedsCard({ feeds, windowSeconds, onWithout }: FeedsCardProps) {
  const { t } = useTranslation('data-feeds')
  const format = useFormat()
  const mayEdit = useCanCall(routingStrategies.routes.putSetting)
  const action = (isOff: boolean) => (mayEdit ? (isOff ? 'switchOn' : 'switchOff') : 'try')
  const pill = (state: FeedState, isOff: boolean) => (
    <Pill tone={isOff ? 'neutral' : TONES[state]}>{t(isOff ? 'switchedOff' : `state.${state}`)}</Pill>
  )
  return (
    <Card title={t('feeds.title')} hint={t('window', { minutes: format.number(windowSeconds / 60) })} flush>
      <FlushTable
        label={t('feeds.title')}
        head={[
          { key: 'feed', text: t('column.feed') },
          { key: 'state', text: t('column.state'), wide: true },
          { key: 'samples', text: t('column.samples'), number: true, wide: true },
          { key: 'age', text: t('column.newest'), wide: true },
          { key: 'places', text: t('column.places'), number: true, wide: true },
          { key: 'answers', text: t('column.answers'), number: true, wide: true },
          { key: 'try', text: '' },
        ]}
      >
        {feeds.map(({ feed, state, decides, switchedOff, samples, newestAt, placesPercent, answersPercent }) => (
          <tr key={feed}>
            <th scope="row">
              <div className={classes.feed}>
                {t(`feed.${feed}`)}
                <span className={classes.about}>{t(`about.${feed}`)}</span>
                <span className={classes.below}>{pill(state, switchedOff)}</span>
              </div>
            </th>
            <td data-wide>{pill(state, switchedOff)}</td>
            <td data-number data-wide>
              {samples === 0 ? '—' : <DataQuality samples={samples} brief />}
            </td>
            <td data-wide>{newestAt === null ? '—' : <Age at={newestAt} />}</td>
            <td className="num" data-number data-wide>
              {decides ? format.percent(placesPercent) : '—'}
            </td>
            <td className="num" data-number data-wide>
              {answersPercent === null ? '—' : format.percent(answersPercent)}
            </td>
            <td className={classes.try}>
              {decides ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t(`${action(switchedOff)}.named`, { feed: t(`feed.${feed}`) })}
                  onClick={() => onWithout(feed)}
                >
                  {t(`${action(switchedOff)}.short`)}
                </Button>
              ) : (
                <span className={classes.about}>{t('comparedOnly')}</span>
              )}
            </td>
          </tr>
        ))}
      </FlushTable>
    </Card>
  )
}
