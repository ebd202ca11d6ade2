import { domains } from '@fairway/contract'
import type { CompiledCdn, CompiledSetting, RouteInput } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCheck, IconEqualNot, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './delivery-card.module.css'
import { useSettingWords } from './setting-words.ts'

const SETTLED_MS = 250
const ICONS = { exact: IconCheck, approximate: IconEqualNot, not: IconX } as const

type DeliveryCardProps = {
  input: RouteInput<typeof domains.routes.compile>
  /** Nothing on the page waits to be saved. */
  saved?: boolean
  /** Beside a form: only what differs, by CDN. */
  narrow?: boolean
}

/** What each CDN of the domain makes of the settings as they are on the screen: exactly, approximately, or not. */
export function DeliveryCard({ input, saved = false, narrow = false }: DeliveryCardProps) {
  const { t } = useTranslation('delivery')
  const format = useFormat()
  const [settled] = useDebouncedValue(input, SETTLED_MS)
  const { data, error, refetch, isPlaceholderData } = useRead(domains.routes.compile, settled)
  const blocked = data?.cdns.filter(({ problem, enabled }) => problem !== null && enabled) ?? []
  return (
    <Card title={saved ? t('title') : `${t('title')} · ${t('hint')}`} flush>
      {error && !data && (
        <div className={classes.note}>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !error && (
        <div className={classes.note}>
          <Skeleton height={120} radius="md" />
        </div>
      )}
      {data && data.cdns.length === 0 && <p className={classes.note}>{t('none')}</p>}
      {blocked.length > 0 && input.settings?.originShield !== 'bypass' && (
        <div className={classes.note}>
          <Notice tone="bad" title={t('blocked', { names: format.list(blocked.map(({ name }) => name)) })}>
            {t('blockedText')}
          </Notice>
        </div>
      )}
      {data &&
        data.cdns.length > 0 &&
        (narrow ? (
          <Differences cdns={data.cdns} stale={isPlaceholderData} />
        ) : (
          <DeliveryTable cdns={data.cdns} stale={isPlaceholderData} />
        ))}
    </Card>
  )
}

function DeliveryTable({ cdns, stale }: { cdns: readonly CompiledCdn[]; stale: boolean }) {
  const { t } = useTranslation('delivery')
  const { nameOf } = useSettingWords()
  const settings = [...new Set(cdns.flatMap((cdn) => cdn.settings.map(({ setting }) => setting)))]
  return (
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('title')} data-stale={stale || undefined}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('setting.head')}</th>
            {cdns.map(({ cdnId, name, series }) => (
              <th key={cdnId} scope="col">
                <CdnName name={name} series={series} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <tr key={setting}>
              <th scope="row">{nameOf(setting)}</th>
              {cdns.map((cdn) => (
                <td key={cdn.cdnId}>
                  <Level compiled={cdn.settings.find((one) => one.setting === setting)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Differences({ cdns, stale }: { cdns: readonly CompiledCdn[]; stale: boolean }) {
  const { t } = useTranslation('delivery')
  const { nameOf } = useSettingWords()
  return (
    <ul className={classes.cdns} data-stale={stale || undefined}>
      {cdns.map(({ cdnId, name, series, settings }) => {
        const different = settings.filter(({ level }) => level !== 'exact')
        const exact = settings.length - different.length
        return (
          <li key={cdnId} className={classes.cdn}>
            <p className={classes.cdnHead}>
              <CdnName name={name} series={series} strong />
              {exact > 0 && (
                <span className={classes.level} data-level="exact">
                  <IconCheck size={14} stroke={2.2} aria-hidden />
                  <span>{different.length === 0 ? t('allExactly') : t('exactly', { count: exact })}</span>
                </span>
              )}
            </p>
            {different.length > 0 && (
              <dl className={classes.differences}>
                {different.map((one) => (
                  <div key={one.setting}>
                    <dt>{nameOf(one.setting)}</dt>
                    <dd>
                      <Level compiled={one} />
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Level({ compiled }: { compiled: CompiledSetting | undefined }) {
  const { t } = useTranslation('delivery')
  const { valueOf } = useSettingWords()
  if (!compiled) return <span className={classes.absent}>—</span>
  const { level, reason, setting, wanted, given } = compiled
  const Icon = ICONS[level]
  return (
    <span className={classes.level} data-level={level}>
      <Icon size={14} stroke={2.2} aria-hidden />
      <span>
        {level === 'approximate' && given !== '' && given !== wanted
          ? t('approximately', { value: valueOf(setting, given) })
          : t(`level.${level}`)}
        {reason !== null && <span className={classes.reason}>{t(`reason.${reason}`)}</span>}
      </span>
    </span>
  )
}
