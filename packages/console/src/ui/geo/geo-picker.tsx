import { Button, Input, Popover } from '@mantine/core'
import { IconChevronDown, IconMapPin } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './geo-picker.module.css'
import { PlaceList } from './place-list.tsx'
import { usePlaceName } from './place-name.ts'

type GeoPickerProps = {
  label: string
  description?: ReactNode
  error?: ReactNode
  /** Place keys of the contract: `continent:AS`, `country:JP`, `region:US-CA`. */
  value: readonly string[]
  onChange: (places: string[]) => void
  /** What no choice means, for example "Anywhere". */
  none: string
}

const NAMED = 3

/** Places of the world, many at once: a tree in a popover. */
export function GeoPicker({ label, description, error, value, onChange, none }: GeoPickerProps) {
  const { t } = useTranslation('geo')
  const [opened, setOpened] = useState(false)
  const nameOf = usePlaceName()
  const names = value
    .slice(0, NAMED)
    .map((key) => nameOf(key, true))
    .join(t('separator'))
  const text =
    value.length === 0 ? none : value.length > NAMED ? t('andMore', { names, count: value.length - NAMED }) : names
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Popover opened={opened} onChange={setOpened} position="bottom-start" width={348} trapFocus returnFocus>
        <Popover.Target>
          <Button
            classNames={{ root: classes.target, label: classes.targetText }}
            variant="default"
            fullWidth
            justify="space-between"
            aria-label={`${label}: ${text}`}
            leftSection={<IconMapPin size={15} stroke={1.65} aria-hidden />}
            rightSection={<IconChevronDown size={15} stroke={1.8} aria-hidden />}
            data-empty={value.length === 0 || undefined}
            onClick={() => setOpened(!opened)}
          >
            {text}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>
          {opened && <PlaceList label={label} chosen={value} onChange={onChange} />}
        </Popover.Dropdown>
      </Popover>
    </Input.Wrapper>
  )
}
