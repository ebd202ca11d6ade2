import { Button, Popover, Skeleton } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { readItem } from './compare-model.ts'
import { useItemName } from './use-item-name.ts'

const CompareForm = lazy(async () => ({ default: (await import('./compare-form.tsx')).CompareForm }))

type CompareFieldProps = { compare: readonly string[]; onCompare: (compare: string[] | undefined) => void }

/** Up to four lines beside each other: CDNs, or CDNs in countries. */
export function CompareField({ compare, onCompare }: CompareFieldProps) {
  const { t } = useTranslation('analytics-dem')
  const nameOf = useItemName()
  const [opened, setOpened] = useState(false)
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
          {opened && (
            <Suspense fallback={<Skeleton height={230} />}>
              <CompareForm compare={compare} onCompare={onCompare} />
            </Suspense>
          )}
        </Popover.Dropdown>
      </Popover>
    </>
  )
}
