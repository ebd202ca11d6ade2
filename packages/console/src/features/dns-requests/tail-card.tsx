import { type DnsTailEntry, type Site, dnsRequests } from '@fairway/contract'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FlushTable, MonoCell } from '../../ui/data-table/flush-table.tsx'
import { TypeTag } from '../../ui/marks/type-tag.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './screen.module.css'

const EVERY_MS = 2000

/** Single queries as they come, drawn by lot; a steered one leads to its reasons. */
export function TailCard({
  site,
  name,
  rcode,
  isLive,
}: {
  site: Site
  name: string | undefined
  rcode: string | undefined
  isLive: boolean
}) {
  const { t } = useTranslation('dns-requests')
  const [search, setSearch] = useState('')
  const [follows, setFollows] = useState(true)
  const words = search.trim() || name
  const query = useRead(
    dnsRequests.routes.tail,
    {
      site: site.id,
      limit: 60,
      ...(words ? { search: words } : {}),
      ...(rcode === undefined ? {} : { rcode }),
    },
    follows || isLive ? { everyMs: EVERY_MS } : {},
  )
  // The words are looked for anywhere in a name.
  const rows = query.data?.data.filter((row) => name === undefined || plainName(row.name) === name)
  return (
    <Card
      title={t('tail.title')}
      hint={t('tail.hint')}
      flush
      end={
        <div className={classes.tailTools}>
          <TextInput
            size="xs"
            aria-label={t('tail.search')}
            placeholder={t('tail.search')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Button
            size="xs"
            variant={follows ? 'light' : 'default'}
            aria-pressed={follows}
            leftSection={
              follows ? <IconPlayerPause size={14} stroke={1.65} /> : <IconPlayerPlay size={14} stroke={1.65} />
            }
            onClick={() => setFollows(!follows)}
          >
            {t(follows ? 'tail.pause' : 'tail.follow')}
          </Button>
        </div>
      }
    >
      {!rows &&
        (query.error ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton height={260} radius="sm" />
        ))}
      {rows?.length === 0 && <EmptyTeach title={t('tail.empty')} text={t('tail.emptyText')} />}
      {rows !== undefined && rows.length > 0 && (
        <FlushTable
          quiet
          label={t('tail.title')}
          head={(['time', 'name', 'type', 'rcode', 'client', 'country', 'cdn', 'node'] as const).map((key) => ({
            key,
            text: t(`tail.${key}`),
            wide: ['client', 'country', 'node'].includes(key),
          }))}
        >
          {rows.map((row) => (
            <TailRow key={row.id} row={row} site={site} />
          ))}
        </FlushTable>
      )}
    </Card>
  )
}

function TailRow({ row, site }: { row: DnsTailEntry; site: Site }) {
  const { t } = useTranslation('dns-requests')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  const name = plainName(row.name)
  const cdn = row.cdnId === null ? null : lookOf(row.cdnId)
  return (
    <tr>
      <td className="num" title={format.exact(row.at)}>
        {format.timeOfDay(row.at)}
      </td>
      <th scope="row" title={name}>
        <code>{name}</code>
      </th>
      <td>
        <TypeTag type={row.type} />
      </td>
      <MonoCell>{row.rcode}</MonoCell>
      <MonoCell wide title={t(row.scoped ? 'tail.scoped' : 'tail.resolver')}>
        {row.client}
      </MonoCell>
      <td data-wide>
        {row.country === null ? '—' : format.country(row.country)}
        {row.network === null ? '' : ` · ${row.network}`}
      </td>
      <td>
        {cdn === null ? (
          '—'
        ) : (
          <Link
            to="/$site/{-$domain}/home"
            params={{ site: site.domainName, domain: name }}
            search={{ why: row.client.replace(/\/\d+$/, '') }}
            title={t('tail.why', { name, client: row.client })}
          >
            <CdnName name={cdn.name} series={cdn.series} />
          </Link>
        )}
      </td>
      <td data-wide>{row.node}</td>
    </tr>
  )
}

const plainName = (name: string): string => name.replace(/\.$/, '')
