import { DecidingFeed, dataFeeds, routingStrategies, type FeedMoves, type FeedName } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './screen.module.css'

type MovesDrawerProps = { place: { site: string; domain: string }; feed: FeedName; onClose: () => void }

/** A feed switched off, or on again: the real engine says who would go elsewhere, before anything is changed. */
export function MovesDrawer({ place, feed, onClose }: MovesDrawerProps) {
  const { t } = useTranslation(['data-feeds', 'shell'])
  const { data, error, refetch } = useRead(dataFeeds.routes.without, { ...place, feed })
  const setting = useRead(routingStrategies.routes.setting, place)
  const mayEdit = useCanCall(routingStrategies.routes.putSetting)
  const show = useSnackbar()
  const name = t(`feed.${feed}`)
  const put = useChange(routingStrategies.routes.putSetting, {
    subject: null,
    onDone: ({ data: { feedsOff } }) => {
      show('data-feeds', { message: t(feedsOff.some((one) => one === feed) ? 'done.off' : 'done.on', { feed: name }) })
      onClose()
    },
  })
  const feedsOff = setting.data?.feedsOff
  const decider = DecidingFeed.options.find((one) => one === feed)
  const isOff = data?.wanted === 'on'
  return (
    <SideDrawer
      opened
      onClose={onClose}
      size={720}
      title={t(isOff ? 'moves.titleOn' : 'moves.title', { feed: name })}
      footer={
        mayEdit &&
        decider !== undefined && (
          <>
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button
              color={isOff ? undefined : 'red'}
              disabled={!data || !feedsOff}
              loading={put.isPending}
              onClick={() =>
                feedsOff &&
                put.mutate({
                  ...place,
                  feedsOff: isOff ? feedsOff.filter((one) => one !== decider) : [...feedsOff, decider],
                })
              }
            >
              {t(isOff ? 'switchOn.verb' : 'switchOff.verb')}
            </Button>
          </>
        )
      }
    >
      {put.error && <FailureNotice title={t('notSwitched')} error={put.error} />}
      {feed === 'probes' && !isOff && data && <Notice tone="warn">{t('moves.blind')}</Notice>}
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Moves moves={data} />
      ) : (
        <Skeleton height={320} />
      )}
    </SideDrawer>
  )
}

export function Moves({ moves }: { moves: FeedMoves }) {
  const { t } = useTranslation('data-feeds')
  const format = useFormat()
  const words = usePlaceWords()
  return (
    <div className={classes.moves}>
      <p>
        {moves.moved === 0
          ? t('moves.nobody')
          : t('moves.some', {
              count: moves.moved,
              number: format.number(moves.moved),
              all: format.number(moves.places),
            })}
        {moves.moved > 0 && moves.answersPercent !== null
          ? ` ${t('moves.answers', { percent: format.percent(moves.answersPercent) })}`
          : ''}
      </p>
      <p className={classes.about}>{t('moves.basis')}</p>
      {moves.moves.length > 0 && (
        <FlushTable
          label={t('moves.table')}
          head={[
            { key: 'place', text: t('column.place') },
            { key: 'before', text: t('column.before') },
            { key: 'after', text: t(moves.wanted === 'on' ? 'column.afterOn' : 'column.after') },
            { key: 'strategy', text: t('column.strategy'), wide: true },
          ]}
        >
          {moves.moves.map(({ place, before, after, strategyId, strategy }) => (
            <tr key={place}>
              <th scope="row">{words.level(place)}</th>
              <td>
                <Shares shares={before} />
              </td>
              <td>
                <Shares shares={after} />
              </td>
              <td data-wide>{strategyId === null ? t('moves.noStrategy') : (strategy ?? '—')}</td>
            </tr>
          ))}
        </FlushTable>
      )}
    </div>
  )
}

function Shares({ shares }: { shares: FeedMoves['moves'][number]['before'] }) {
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  return (
    <span className={classes.shares}>
      {shares.map(({ cdnId, percent }) => {
        const { name, series } = lookOf(cdnId)
        return (
          <CdnName key={cdnId} name={shares.length > 1 ? `${name} ${format.percent(percent)}` : name} series={series} />
        )
      })}
    </span>
  )
}
