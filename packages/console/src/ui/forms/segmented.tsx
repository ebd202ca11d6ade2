import { SegmentedControl } from '@mantine/core'
import classes from './segmented.module.css'

type SegmentedProps<Value extends string> = {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string; disabled?: boolean }[]
  /** Record types and other codes. */
  mono?: boolean
  full?: boolean
}

/** One of a few, all of them visible. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
  mono = false,
  full = false,
}: SegmentedProps<Value>) {
  return (
    <SegmentedControl<Value>
      aria-label={label}
      value={value}
      onChange={onChange}
      data={options.map((option) => ({ ...option }))}
      fullWidth={full}
      classNames={mono ? { label: classes.mono, root: classes.root } : { root: classes.root }}
    />
  )
}
