import { Menu, TextInput, UnstyledButton } from '@mantine/core'
import { IconCirclePlus, IconSearch, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import classes from './filter-bar.module.css'
import { useShortcut } from '../keys/shortcuts.ts'

type FilterBarProps = {
  search: string
  onSearch: (text: string) => void
  placeholder: string
  /** `<Facet>`s. */
  children?: ReactNode
  /** Shown when any filter is on. */
  onClear?: (() => void) | undefined
  /** How many are shown, in words; at the right. */
  count?: string
}

/** Search (`/`), facet chips, Clear, and the count. */
export function FilterBar({ search, onSearch, placeholder, children, onClear, count }: FilterBarProps) {
  const { t } = useTranslation('table')
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', t('keys.filter'), () => input.current?.focus())
  return (
    <div className={classes.bar} role="search">
      <TextInput
        ref={input}
        className={classes.search}
        classNames={{ wrapper: classes.input }}
        size="xs"
        type="search"
        aria-label={placeholder}
        placeholder={placeholder}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            onSearch('')
            event.currentTarget.blur()
          }
        }}
        leftSection={<IconSearch size={15} stroke={1.7} aria-hidden />}
        rightSection={
          search === '' ? (
            <kbd className={classes.key} aria-hidden>
              /
            </kbd>
          ) : null
        }
        spellCheck={false}
      />
      {children}
      {onClear && (
        <UnstyledButton className={classes.clear} onClick={onClear}>
          {t('clear')}
        </UnstyledButton>
      )}
      {count !== undefined && (
        <span className={classes.count} role="status">
          {count}
        </span>
      )}
    </div>
  )
}

type FacetProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string; count?: number }[]
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
  /** Only one at a time. */
  single?: boolean
  /** The options are a part of them all: others are found as one types, so many more than are shown. */
  find?: { text: string; onType: (text: string) => void; more: number } | undefined
}

/** A chip: dashed while off, solid with its value while on. */
export function Facet<Value extends string>({
  label,
  options,
  chosen,
  onChange,
  single = false,
  find,
}: FacetProps<Value>) {
  const { t } = useTranslation('table')
  const format = useFormat()
  const isOn = chosen.length > 0
  const names = format.list(options.filter(({ value }) => chosen.includes(value)).map((option) => option.label))
  const toggle = (value: Value) => {
    if (chosen.includes(value)) return onChange(chosen.filter((other) => other !== value))
    onChange(single ? [value] : [...chosen, value])
  }
  return (
    <Menu position="bottom-start" width={200} onClose={() => find?.onType('')}>
      <div className={classes.facet} data-on={isOn || undefined}>
        <Menu.Target>
          <UnstyledButton className={classes.chip}>
            {!isOn && <IconCirclePlus size={15} stroke={1.6} aria-hidden />}
            {isOn ? (
              <>
                <span className={classes.chipLabel}>{label}</span> <span className={classes.chipValue}>{names}</span>
              </>
            ) : (
              label
            )}
          </UnstyledButton>
        </Menu.Target>
        {isOn && (
          <UnstyledButton className={classes.off} aria-label={t('clearFacet', { label })} onClick={() => onChange([])}>
            <IconX size={13} stroke={2} aria-hidden />
          </UnstyledButton>
        )}
      </div>
      <Menu.Dropdown aria-label={label}>
        {find && (
          <TextInput
            size="xs"
            placeholder={t('find')}
            aria-label={t('find')}
            leftSection={<IconSearch size={14} />}
            value={find.text}
            onChange={(event) => find.onType(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {options.map(({ value, label: text, count }) => (
          <Menu.CheckboxItem
            key={value}
            checked={chosen.includes(value)}
            rightSection={count === undefined ? null : <span className={classes.optionCount}>{count}</span>}
            closeMenuOnClick={single}
            onChange={() => toggle(value)}
          >
            {text}
          </Menu.CheckboxItem>
        ))}
        {find && find.more > 0 && <p className={classes.more}>{t('more', { count: find.more })}</p>}
      </Menu.Dropdown>
    </Menu>
  )
}
