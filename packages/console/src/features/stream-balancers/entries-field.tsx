import type { Balancer } from '@fairway/contract'
import { ActionIcon, Menu, NumberInput, Switch, TextInput, UnstyledButton } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { ShareBar } from '../../ui/charts/share-bar.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { Pill, StatusPill } from '../../ui/marks/status-pill.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import { type DraftEntry, weightPercents } from './draft.ts'
import classes from './stream-balancers.module.css'

type EntriesFieldProps = {
  saved: Balancer
  value: readonly DraftEntry[]
  disabled: boolean
  /** By place: what is wrong with an entry, in words. */
  problems: ReadonlyMap<number, string>
  onChange: (entries: DraftEntry[]) => void
}

/** The CDNs that players are steered between, with their weights, and what is known of each. */
export function EntriesField({ saved, value, disabled, problems, onChange }: EntriesFieldProps) {
  const { t } = useTranslation('stream-balancers')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  const added = useRef(0)
  const percents = weightPercents(value)
  const left = saved.choices.filter(({ cdnId }) => !value.some((entry) => entry.cdnId === cdnId))
  const isLastOn = value.filter(({ enabled }) => enabled).length <= 1
  const nameOf = ({ cdnId, host }: DraftEntry) =>
    cdnId === null
      ? host || t('outside')
      : (saved.choices.find((choice) => choice.cdnId === cdnId)?.name ?? lookOf(cdnId).name)
  const set = (key: string, change: Partial<DraftEntry>) =>
    onChange(value.map((entry) => (entry.key === key ? { ...entry, ...change } : entry)))
  const add = (cdnId: string | null, host: string | null) =>
    onChange([
      ...value,
      { key: `new-${added.current++}`, cdnId, host: host ?? '', weight: 50, enabled: true, fixedHost: host !== null },
    ])
  return (
    <div className={classes.entries}>
      <ShareBar
        size="large"
        label={t('shares')}
        shares={value.map((entry, index) => ({
          key: entry.key,
          name: nameOf(entry),
          series: lookOf(entry.cdnId ?? entry.host).series,
          percent: percents[index] ?? 0,
        }))}
      />
      <ul className={classes.list} aria-label={t('entries')}>
        {value.map((entry, index) => (
          <Entry
            key={entry.key}
            entry={entry}
            name={nameOf(entry)}
            series={lookOf(entry.cdnId ?? entry.host).series}
            known={saved.entries.find(({ pathway }) => pathway === entry.key)}
            share={percents[index] === null ? t('off') : format.percent(percents[index] ?? 0)}
            problem={problems.get(index) ?? null}
            disabled={disabled}
            isLastOn={isLastOn && entry.enabled}
            isOnly={value.length <= 1}
            onChange={(change) => set(entry.key, change)}
            onRemove={() => onChange(value.filter(({ key }) => key !== entry.key))}
          />
        ))}
      </ul>
      {!disabled && value.length < saved.limit && (
        <Menu position="bottom-start" width={260}>
          <Menu.Target>
            <UnstyledButton className={classes.add}>
              <IconPlus size={15} stroke={1.8} aria-hidden />
              {t('add')}
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown aria-label={t('add')}>
            {left.map(({ cdnId, host }) => (
              <Menu.Item key={cdnId} onClick={() => add(cdnId, host)}>
                <CdnName {...lookOf(cdnId)} />
              </Menu.Item>
            ))}
            <Menu.Item onClick={() => add(null, null)}>{t('addOutside')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}

type EntryProps = {
  entry: DraftEntry
  name: string
  series: number
  known: Balancer['entries'][number] | undefined
  share: string
  problem: string | null
  disabled: boolean
  isLastOn: boolean
  isOnly: boolean
  onChange: (change: Partial<DraftEntry>) => void
  onRemove: () => void
}

function Entry({
  entry,
  name,
  series,
  known,
  share,
  problem,
  disabled,
  isLastOn,
  isOnly,
  onChange,
  onRemove,
}: EntryProps) {
  const { t } = useTranslation('stream-balancers')
  const id = useId()
  return (
    <li className={classes.entry}>
      <div className={classes.who}>
        <CdnName name={name} series={series} strong />
        {entry.fixedHost ? (
          <span className={classes.host} title={entry.host}>
            {entry.host}
          </span>
        ) : (
          <TextInput
            size="xs"
            aria-label={t('hostOf', { name })}
            placeholder="video.example.com"
            value={entry.host}
            disabled={disabled}
            error={problem}
            maxLength={253}
            spellCheck={false}
            autoComplete="off"
            classNames={{ input: classes.mono }}
            onChange={({ currentTarget }) => onChange({ host: currentTarget.value })}
          />
        )}
        {entry.fixedHost && problem !== null && (
          <span className={classes.problem} role="alert">
            {problem}
          </span>
        )}
        {known?.siteName && <span className={classes.site}>{t('site', { name: known.siteName })}</span>}
      </div>
      <div className={classes.pills}>
        {known ? (
          <>
            <StatusPill state={known.state} />
            {known.health === 'returning' ? (
              <Pill tone="warn">{t('returning')}</Pill>
            ) : (
              <StatusPill state={known.health} />
            )}
          </>
        ) : (
          <Pill tone="neutral">{t('unsaved')}</Pill>
        )}
      </div>
      <NumberInput
        id={id}
        className={classes.weight}
        aria-label={t('weightOf', { name })}
        value={entry.weight}
        min={1}
        max={100}
        allowDecimal={false}
        clampBehavior="strict"
        disabled={disabled}
        onChange={(next) => onChange({ weight: typeof next === 'number' ? next : Number.NaN })}
      />
      <span className={`${classes.share} num`}>{share}</span>
      <Switch
        checked={entry.enabled}
        disabled={disabled || isLastOn}
        title={isLastOn ? t('lastOn') : undefined}
        aria-label={t('enable', { name })}
        onChange={({ currentTarget }) => onChange({ enabled: currentTarget.checked })}
      />
      <ActionIcon aria-label={t('leaveOut', { name })} disabled={disabled || isOnly || isLastOn} onClick={onRemove}>
        <IconX size={15} stroke={1.7} />
      </ActionIcon>
    </li>
  )
}
