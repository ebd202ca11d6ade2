import { type PowerUp, cdnManagement, powerUps } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { WithSide } from '../../ui/page/with-side.tsx'
import { PowerUpCard } from './power-up-card.tsx'
import { PowerUpDialog } from './power-up-dialog.tsx'
import classes from './marketplace-screen.module.css'
import { type Place, countShelves, onShelf, shelfAt } from './shelves.ts'

const CustomCdnDrawer = onDemand(async () => (await import('./custom-cdn-drawer.tsx')).CustomCdnDrawer)

const TYPING_MS = 200
const HERE = '/marketplace/{-$category}/{-$childCategory}'

/** Everything that can be had beside the plan: CDNs, and services by the month. */
export function MarketplaceScreen() {
  const { t } = useTranslation('power-ups')
  const place = useParams({ from: '/shell/marketplace/{-$category}/{-$childCategory}' })
  const search = useSearch({ from: '/shell/marketplace/{-$category}/{-$childCategory}' })
  const navigate = useNavigate({ from: HERE })
  const [words] = useDebouncedValue(search.search ?? '', TYPING_MS)
  const { data, error, refetch } = useRead(powerUps.routes.catalogue, words === '' ? {} : { search: words })
  const canCreate = useCanCall(cdnManagement.routes.createPlatform)
  const set = (change: Partial<typeof search>) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true })
  const shown = data && onShelf(data.data, place)
  const shelf = shelfAt(place.category)
  const isKnown =
    shelf === 'all' ||
    (shelf !== undefined &&
      (place.childCategory === undefined || shelf.categories.some((one) => one === place.childCategory)))
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          <>
            <LinkButton to="/marketplace/installed-power-ups" variant="default">
              {t('installedTitle')}
            </LinkButton>
            {canCreate && (
              <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => set({ custom: 'new' })}>
                {t('custom.add')}
              </Button>
            )}
          </>
        }
      />
      <Gate route={powerUps.routes.catalogue} meaning={t('meaning')}>
        <WithSide
          side={
            <Shelves
              all={data?.data ?? []}
              place={shelf && shelf !== 'all' ? { ...place, category: shelf.key } : place}
            />
          }
        >
          <FilterBar
            search={search.search ?? ''}
            onSearch={(text) => set({ search: text || undefined })}
            placeholder={t('find')}
            {...(shown ? { count: t('count', { count: shown.length }) } : {})}
            onClear={search.search ? () => set({ search: undefined }) : undefined}
          />
          {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton height={320} radius="md" />}
          {!isKnown && (
            <EmptyTeach
              title={t('noShelf.title')}
              text={t('noShelf.text')}
              action={<LinkButton to={HERE}>{t('shelf.all')}</LinkButton>}
            />
          )}
          {isKnown && shown?.length === 0 && <EmptyTeach title={t('nothing.title')} text={t('nothing.text')} />}
          {data && shown && shown.length > 0 && (
            <ul className={classes.cards} aria-label={t('title')}>
              {shown.map((powerUp) => (
                <PowerUpCard key={powerUp.id} powerUp={powerUp} currency={data.currency} />
              ))}
            </ul>
          )}
        </WithSide>
        <PowerUpDialog
          id={search.open}
          tab={search.tab ?? 'introduction'}
          onTab={(tab) => set({ tab: tab === 'introduction' ? undefined : tab })}
          onClose={() => set({ open: undefined, tab: undefined })}
          onEdit={(id) => set({ open: undefined, tab: undefined, custom: id })}
        />
        <CustomCdnDrawer
          opened={canCreate && search.custom !== undefined}
          id={search.custom}
          onClose={() => set({ custom: undefined })}
          onCreated={(id) => set({ custom: undefined, open: id, tab: 'installed' })}
        />
      </Gate>
    </>
  )
}

type ShelvesProps = { all: readonly PowerUp[]; place: Place }

function Shelves({ all, place }: ShelvesProps) {
  const { t } = useTranslation('power-ups')
  const format = useFormat()
  const line = (
    key: string,
    label: string,
    count: number,
    to: { category?: string; childCategory?: string },
    isPart = false,
  ) => {
    const isHere = to.category === place.category && to.childCategory === place.childCategory
    return (
      <li key={key} data-part={isPart || undefined}>
        <Link
          from={HERE}
          to={HERE}
          params={{ category: to.category, childCategory: to.childCategory }}
          search={(before) => ({ search: before.search })}
          className={classes.shelf}
          aria-current={isHere ? 'page' : undefined}
          data-here={isHere || undefined}
        >
          <span>{label}</span>
          <span className="num">{format.number(count)}</span>
        </Link>
      </li>
    )
  }
  return (
    <nav className={classes.shelves} aria-label={t('shelves')}>
      <ul>
        {line('all', t('shelf.all'), all.length, {})}
        {countShelves(all).map(({ key, count, parts }) => [
          line(key, t(`shelf.${key}`), count, { category: key }),
          ...(key === place.category
            ? parts.map((part) =>
                line(
                  part.category,
                  t(`category.${part.category}`),
                  part.count,
                  { category: key, childCategory: part.category },
                  true,
                ),
              )
            : []),
        ])}
      </ul>
    </nav>
  )
}
