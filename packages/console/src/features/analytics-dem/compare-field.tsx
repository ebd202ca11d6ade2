import { COUNTRY_CODES } from '@fairway/domain'
import { Button, Popover, Select } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './compare-field.module.css'
import { MOST_COMPARED, readItem, writeItem } from './compare-model.ts'
import { useItemName } from './use-item-name.ts'

/** No country code is empty. */
const ANYWHERE = ''

type CompareFieldProps = { compare: readonly string[]; onCompare: (compare: string[] | undefined) => void }

/** Up to four lines beside each other: CDNs, or CDNs in countries. */
export function CompareField({ compare, onCompare }: CompareFieldProps) {
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  const { all } = useCdnLooks()
  const nameOf = useItemName()
  const [opened, setOpened] = useState(false)
  const [cdnId, setCdnId] = useState<string | null>(null)
  const [country, setCountry] = useState(ANYWHERE)
  const countries = useMemo(
    () =>
      COUNTRY_CODES.map((value) => ({ value, label: format.country(value) })).sort((a, b) =>
        a.label.localeCompare(b.label, format.language),
      ),
    [format],
  )
  const chosen = cdnId === null ? null : writeItem({ cdnId, country: country === ANYWHERE ? undefined : country })
  const isTwice = chosen !== null && compare.includes(chosen)
  const isFull = compare.length >= MOST_COMPARED
  const add = () => {
    if (chosen !== null && !isTwice && !isFull) onCompare([...compare, chosen])
  }
  const without = (item: string) => {
    const rest = compare.filter((other) => other !== item)
    onCompare(rest.length > 0 ? rest : undefined)
  }
  return (
    <>
      {compare.map((item) => (
        <FilterChip key={item} off={t('compare.remove', { name: nameOf(readItem(item)) })} onOff={() => without(item)}>
          {nameOf(readItem(item))}
        </FilterChip>
      ))}
      <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus width={300}>
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconArrowsDiff size={15} stroke={1.65} />}
            onClick={() => setOpened(!opened)}
          >
            {t('compare.open')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('compare.title')}>
          <div className={classes.fields}>
            <p className={classes.about}>{t('compare.about', { most: MOST_COMPARED })}</p>
            <Select
              label={t('compare.cdn')}
              data={all.map(({ id, name }) => ({ value: id, label: name }))}
              value={cdnId}
              onChange={setCdnId}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
            />
            <Select
              label={t('country')}
              data={[{ value: ANYWHERE, label: t('compare.anywhere') }, ...countries]}
              value={country}
              onChange={(next) => setCountry(next ?? ANYWHERE)}
              searchable
              limit={50}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
            />
            {isTwice && <p className={classes.about}>{t('compare.twice')}</p>}
            {isFull && <p className={classes.about}>{t('compare.full', { most: MOST_COMPARED })}</p>}
            <Button disabled={chosen === null || isTwice || isFull} onClick={add}>
              {t('compare.add')}
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
    </>
  )
}
